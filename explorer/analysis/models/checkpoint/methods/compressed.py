"""compressed-tensors: each module is of the group that names it or its class, by whole names or expressions."""

from collections.abc import Mapping

from explorer.analysis.models.checkpoint.assignment import Assignment
from explorer.analysis.models.checkpoint.methods.method import KV_SCALES, Found, Method
from explorer.analysis.models.checkpoint.methods.schemes import group_rules, ignored


def compressed(method: Method) -> Found:
    """The rules of `config_groups` and `ignore`, and the scheme of the KV cache."""
    if not method.mapping("config_groups"):
        method.unread("config_groups", method.config.get("config_groups"), "groups of modules")
    sparse = method.mapping("sparsity_config").get("format", "dense")
    method.one_of("sparsity_config.format", sparse, "dense")
    if method.mapping("transform_config").get("config_groups"):
        method.unread("transform_config.config_groups", method.mapping("transform_config")["config_groups"])
    rules = (*ignored(method, "whole", "ignore"), *group_rules(method, "whole"))
    kv = scheme_of_cache(method)
    return Found(Assignment(rules), kv, KV_SCALES if kv else 0.0)


def scheme_of_cache(method: Method) -> str:
    """The format of `kv_cache_scheme`, "" where the cache is as wide as the activations."""
    scheme = method.get("kv_cache_scheme")
    if scheme is None:
        return ""
    stated = f"{scheme.get('num_bits')} {scheme.get('type')}" if isinstance(scheme, Mapping) else ""
    known = {"8 float": "fp8", "8 int": "int8", "4 float": "nvfp4"}
    if stated not in known:
        method.unread_cache("kv_cache_scheme", stated or scheme, *known)
    return known.get(stated, "")
