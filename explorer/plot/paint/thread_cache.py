"""Fonts that one thread paints with are no other thread's: Qt keeps the glyphs of a font by thread."""

import threading
from collections.abc import Callable
from functools import lru_cache, update_wrapper
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class PerThread(Generic[P, T]):
    """A function whose results are remembered, by each thread for itself and no longer than the thread lives."""

    def __init__(self, function: Callable[P, T], most: int) -> None:
        self._function = function
        self._most = most
        self._own = threading.local()
        update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            found: T = self._own.remembered(*args, **kwargs)
        except AttributeError:
            if hasattr(self._own, "remembered"):
                raise
            self.cache_clear()
            found = self._own.remembered(*args, **kwargs)
        return found

    def cache_clear(self) -> None:
        """Forget what this thread has kept."""
        self._own.remembered = lru_cache(self._most)(self._function)


def per_thread(most: int) -> Callable[[Callable[P, T]], PerThread[P, T]]:
    """Decorate a function so that each thread remembers at most so many results of its own."""
    return lambda function: PerThread(function, most)
