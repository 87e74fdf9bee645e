"""By hand: `.venv/bin/python -m tests.ui.monkey_run --actions 10000 --seed 7`.

Acts at random until the actions or the minutes are over; a failure prints the seed, the last acts and the traceback.
"""

import argparse
import faulthandler
import os
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.ui.monkey_world import World


def main() -> int:
    """Run; 0 where everything held."""
    asked = arguments()
    home = Path(tempfile.mkdtemp(prefix="roofline-monkey-"))
    settle(home)
    faulthandler.enable()
    from explorer.app import make_application
    from tests.ui.monkey_world import World

    application = make_application([])
    begun = time.monotonic()
    try:
        world = World(home / "world", asked.seed, rough=not asked.tame, hostile=not asked.harmless)
        done = world.play(asked.actions, 60 * asked.minutes, teller(asked.every))
    except BaseException:  # noqa: BLE001 - whatever it is, the seed is told
        traceback.print_exc()
        print(f"FAILED: seed {asked.seed}; its files are in {home}")
        return 1
    seconds = time.monotonic() - begun
    print(f"{done} actions of seed {asked.seed} in {seconds:.0f} s, {done / seconds:.1f} a second: all held")
    del application
    shutil.rmtree(home, ignore_errors=True)
    return 0


def arguments() -> argparse.Namespace:
    """What is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.ui.monkey_run", description=__doc__)
    parser.add_argument("--actions", type=int, default=10_000)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=250, help="actions between two lines of progress")
    parser.add_argument("--tame", action="store_true", help="never closes in the middle of an import")
    parser.add_argument("--harmless", action="store_true", help="opens no file that was made to do harm")
    return parser.parse_args()


def settle(home: Path) -> None:
    """A home of its own, before Qt looks for one: settings, data and caches never meet the user's."""
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        os.environ[name] = str(home / name)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def teller(every: int) -> "Callable[[World, int], None]":
    """Says now and then how far it is."""
    from tests.ui.monkey_world import resident_mb

    last = [time.monotonic(), 0]

    def tell(world: "World", step: int) -> None:
        if step % every == 0:
            study, now = world.window.session.store.study, time.monotonic()
            pace = (step - last[1]) / (now - last[0])
            last[:] = [now, step]
            rows = f"{len(study.operators)} own rows, {len(study.measurements)} measurements"
            print(f"{step} actions, {pace:.1f} a second, {resident_mb()} MB, {rows}", flush=True)

    return tell


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # a window that broke may not break the end too
