from explorer.analysis.catalogue.kinds import Dim


def test_an_explanation_that_repeats_the_name_says_nothing() -> None:
    assert Dim(name="stride", en="stride").meaning == ""
    assert Dim(name="kernel_size", en="Kernel size").meaning == ""
    assert Dim(name="m", en="rows").meaning == "rows"
    assert Dim(name="m").meaning == ""
