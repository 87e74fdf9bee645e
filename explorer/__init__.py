"""Roofline Explorer: is this work waiting for compute, for memory, or for kernel launches?"""

__version__ = "0.1.0"
