"""Made-up workers: each way of going wrong, and what the program must say about it."""

from tests.bench.conftest import script

FIRST_DONE = 'row(0); say("progress", done=1, total=2, remaining_s=1.0, id="1", name="second")\n'
NEVER = "time.sleep(3600)\n"
WRONG = {
    "crash": (script(FIRST_DONE + "os.kill(os.getpid(), signal.SIGSEGV)"), "crashed at “second” (SIGSEGV)"),
    "out of memory": (script(FIRST_DONE + "os.kill(os.getpid(), signal.SIGKILL)"), "perhaps because memory ran out"),
    "exit": (script(FIRST_DONE + "sys.exit('disk full')"), "ended with code 1 at “second” (disk full)"),
    "hang": (script(FIRST_DONE + NEVER), "hung for"),
    "stopped": (script(FIRST_DONE + "os.kill(os.getpid(), signal.SIGSTOP)"), "hung for"),
    "endless garbage": (script(FIRST_DONE + "while True: print('spam ' * 1000)"), "answered with “spam"),
}
"""Name: the worker's text, and part of the sentence."""
