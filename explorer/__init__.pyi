from explorer.api import InputError as InputError
from explorer.api import as_json as as_json
from explorer.api import evaluate as evaluate
from explorer.api import load_catalogue as load_catalogue
from explorer.api import load_study as load_study
from explorer.api import model as model
from explorer.api import new_study as new_study
from explorer.api import render as render
from explorer.api import with_workload as with_workload

__version__: str
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
