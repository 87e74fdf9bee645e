from examples.__main__ import file_of, studies
from explorer.files.study.examples import example_studies
from explorer.files.study.study import read_study


def test_the_example_studies_are_as_their_generator_writes_them() -> None:
    made = dict(studies())
    assert [name for name, study in made.items() if study != read_study(file_of(name))] == []
    assert {example.id for example in example_studies()} == set(made)
