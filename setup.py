"""What pyproject.toml cannot say: the folders of data, which stand beside the package here, travel inside it."""

from tempfile import TemporaryDirectory

from setuptools import find_packages, setup

HARDWARE, RESOURCES = "explorer._data.hardware", "explorer._data.resources"

with TemporaryDirectory() as build:  # or what an earlier build has left here would travel too
    setup(
        packages=[*find_packages(include=["explorer", "explorer.*"]), HARDWARE, RESOURCES],
        package_dir={HARDWARE: "hardware", RESOURCES: "resources"},
        package_data={"explorer": ["py.typed", "*.pyi"], HARDWARE: ["**"], RESOURCES: ["**"]},
        exclude_package_data={RESOURCES: ["screenshots/**"]},  # the README's
        options={"build": {"build_base": build}},
    )
