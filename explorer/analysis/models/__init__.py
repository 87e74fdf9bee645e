"""Models from real configs: one declared architecture gives parameters, tensors, rows and KV bytes."""

from explorer.analysis.models.build import build_model
from explorer.analysis.models.model import LayerSummary, Model, TensorGroup
from explorer.analysis.models.quick import quick_model
from explorer.analysis.models.registry import supported

__all__ = ["LayerSummary", "Model", "TensorGroup", "build_model", "quick_model", "supported"]
