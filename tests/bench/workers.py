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

DONE = '; say("done", rows=2, skipped=0)\n'
HOLDS = "import subprocess; subprocess.Popen(['sleep', '600'])\n"
ODD = {
    "another version": (script('say("hello", protocol=99, new={"a": []})\n' + NEVER, hello=False), "speaks version 99"),
    "a hello that is none": (script('say("hello", protocol=1)\n' + NEVER, hello=False), "answered with “{"),
    "an unknown code": (script('say("error", code="no.one\\x1b[3m{x}", values={})'), "does not know: “no.one [3m{x}”"),
    "another sentence's code": (script('say("error", code="skip.memory", values={})'), "does not know: “skip.memory”"),
    "a code without its values": (script('say("error", code="device")'), "does not know: “device”"),
    "values of another kind": (script('say("error", code="torch_old", values={"version": [1]})'), "does not know"),
    "control characters": (
        script('say("error", code="raised", values={"text": "\\x1b[31ma\\u202eb\\nc\\x9b{python}"})'),
        "failed: [31ma b c {python}",
    ),
    "one endless line": (script("while True: sys.stdout.write('a' * 1000000)"), "a line of more than 8 MB"),
    "an endless line before the hello": (
        script("while True: sys.stdout.write('a' * 100000)", hello=False), "answered with “aaa"
    ),
    "endless messages": (script("while True: print('{\"type\": \"alive\"}\\n' * 1000)"), "more messages"),
    "endless empty lines": (script("while True: print('\\n' * 10000)"), "more messages"),
    "chatter without a hello": (script("while True: print('hi', flush=True); time.sleep(0.05)", hello=False), "“hi”"),
    "only errors": (script("while True: sys.stderr.write('no ' * 10000)", hello=False), "said nothing for"),
    "both streams closed": (script("os.close(1); os.close(2)\n" + NEVER), "said nothing for"),
    "dead, a child holding its streams": (script(HOLDS + "os._exit(7)"), "ended with code 7"),
    "dead, a child that talks on": (
        script("import subprocess; subprocess.Popen(['yes']); os._exit(7)"), ("ended with code 7", "answered with “y”")
    ),
}  # fmt: skip
"""Workers that keep to nothing: the worker's text, and part of the sentence, or parts of which one."""

OTHERWISE = {
    "two hellos": 'say("hello", protocol=1, python="3.11", torch="\\x1b[2J")\nrow(0); row(1)' + DONE,
    "the same row twice": "row(0); row(0); row(1)" + DONE,
    "a row that was not asked for": 'say("skipped", id="nope", code="kind"); row(0); row(7); row(1)' + DONE,
    "figures of nothing": (
        "for n in (-1, 0, 'x', None, 10**400, float('nan'), float('inf'), [1]):\n"
        '    say("row", id="0", median_s=n, low_s=n, high_s=n, min_s=n, runs=9)\n'
        '    say("row", id="0", median_s=1.0, low_s=2.0, high_s=0.5, min_s=0.1, runs=9)\n'
        '    say("row", id="0", median_s=1.0, low_s=1.0, high_s=1.0, min_s=1.0, runs=-9)\n'
        '    say("progress", done=n, total=n, remaining_s=n, id="0", name="x")\n'
        "row(0); row(1)" + DONE
    ),
    "a ceiling among rows": 'say("ceiling", name="x", rate=1e9)\nrow(0); row(1)' + DONE,
    "a trace among rows": 'say("operators", operators=[])\nrow(0); row(1)' + DONE,
}
"""Workers that say what was not asked: only the two rows count."""
