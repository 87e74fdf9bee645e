"""The program as a library: what `import explorer` offers a notebook."""

from explorer.api.arguments import load_catalogue
from explorer.api.errors import InputError
from explorer.api.results import as_json, evaluate, model, render
from explorer.api.studies import load_study, new_study, with_workload

__all__ = [
    "InputError",
    "as_json",
    "evaluate",
    "load_catalogue",
    "load_study",
    "model",
    "new_study",
    "render",
    "with_workload",
]
