"""PyTorch's profiler: Chrome traces, plain or packed, and the tables of key_averages."""

from explorer.files.importers.torch import table, trace

__all__ = ["table", "trace"]
