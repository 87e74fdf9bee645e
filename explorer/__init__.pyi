from explorer.api.arguments import load_catalogue as load_catalogue
from explorer.api.drawing import render as render
from explorer.api.errors import InputError as InputError
from explorer.api.questions import compare as compare
from explorer.api.questions import knees as knees
from explorer.api.questions import levers as levers
from explorer.api.results import as_json as as_json
from explorer.api.results import evaluate as evaluate
from explorer.api.results import model as model
from explorer.api.studies import load_study as load_study
from explorer.api.studies import new_study as new_study
from explorer.api.studies import with_workload as with_workload

__version__: str
