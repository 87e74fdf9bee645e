"""What a run of the tests says of itself at its end."""

from pathlib import Path

import pytest

pytest_plugins = "pytester"
CONFTEST = Path(__file__).with_name("conftest.py")


@pytest.mark.parametrize(("there", "said"), [(True, "which is there"), (False, "they were left out")])
def test_a_run_says_in_one_line_whether_tests_that_need_the_cases_ran(
    pytester: pytest.Pytester, there: bool, said: str
) -> None:
    checkout = pytester.mkdir("checkout")
    (checkout / "tests").mkdir()
    (checkout / "tests" / "conftest.py").write_text(CONFTEST.read_text(encoding="utf-8"), encoding="utf-8")
    (checkout / "tests" / "test_it.py").write_text("def test_a(shared): pass\ndef test_b(): pass\n", encoding="utf-8")
    if there:
        pytester.mkdir("shared")
    done = pytester.runpytest_subprocess(checkout / "tests", "-p", "no:cacheprovider")
    done.assert_outcomes(passed=2 if there else 1, skipped=0 if there else 1)
    assert [line for line in done.outlines if "1 tests need" in line and said in line] != []


def test_a_run_without_such_tests_says_nothing_of_them(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(CONFTEST.read_text(encoding="utf-8"))
    pytester.makepyfile("def test_b(): pass")
    assert "need the folder" not in pytester.runpytest_subprocess("-p", "no:cacheprovider").stdout.str()
