"""Roofline Explorer: is this work waiting for compute, for memory, or for kernel launches?

From Python, a study is loaded or made, evaluated and drawn by a few functions (`help(explorer.evaluate)` and so on):
`load_study`, `new_study`, `with_workload`, `evaluate`, `compare`, `knees`, `levers`, `as_json`, `render`,
`model`, `load_catalogue`. What cannot be done raises `InputError`, whose text says where, what and what to do.
"""

__version__ = "0.1.0"

_MODULES = {
    "InputError": "errors",
    "as_json": "results",
    "compare": "questions",
    "evaluate": "results",
    "knees": "questions",
    "levers": "questions",
    "load_catalogue": "arguments",
    "load_study": "studies",
    "model": "results",
    "new_study": "studies",
    "render": "drawing",
    "with_workload": "studies",
}
__all__ = tuple(_MODULES)


def __getattr__(name: str) -> object:
    """One of the functions, from its module, which is imported now: the program itself never asks for any."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # not before: this file is read while the folder one works in is on the path

    return getattr(import_module(f"{__name__}.api.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
