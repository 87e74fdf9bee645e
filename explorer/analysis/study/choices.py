"""The words that a workload and its variants choose from."""

from typing import Literal

Launch = Literal["graph", "eager"]
AttentionCount = Literal["causal", "full"]
Logits = Literal["last", "all"]
Figure = Literal["bandwidth", "compute", "capacity", "links"]  # of a device
Vary = Literal["machines", "models", "formats", "what_ifs", "measurements"]
CompareAs = Literal["ratio", "difference"]
