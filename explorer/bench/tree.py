"""Ending a worker with everything it started, at once."""

import os
import signal
import subprocess
import sys


def kill_tree(process_id: int) -> None:
    """Kill a process that leads its own group, and the group; nothing happens where it is gone."""
    if process_id <= 0:
        return
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/PID", str(process_id), "/T", "/F"], capture_output=True, check=False)
        return
    try:
        if os.getpgid(process_id) == process_id:  # never our own group
            os.killpg(process_id, signal.SIGKILL)
        else:
            os.kill(process_id, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return
