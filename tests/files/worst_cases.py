"""What costs each reader most, at any size: repeats that expressions could backtrack over, counts that lie, deep nests.

`CASES` has an entry for every reader; each case makes a file of about a given number of bytes.
"""

import gzip
import json
import struct
from collections.abc import Callable
from itertools import count

Case = Callable[[int], bytes]


def filled(front: str, piece: str, end: str = "") -> Case:
    """A piece as often as it takes."""
    return lambda size: (front + piece * (size // len(piece.encode())) + end).encode()


def counted(front: str, piece: str, end: str = "") -> Case:
    """Pieces that are all different: `#` is a number."""

    def make(size: int) -> bytes:
        parts, length = [], 0
        for number in count():
            if length >= size:
                break
            parts.append(piece.replace("#", str(number)))
            length += len(parts[-1])
        return (front + "".join(parts) + end).encode()

    return make


ANY = {  # whatever the reader
    "newlines": filled("", "\n"),
    "blanks": filled("", " "),
    "lines of blanks": filled("", " " * 200 + "\n"),
    "carriage returns": filled("", "\r"),
    "quotes": filled("", '"'),
    "brackets": filled("", "["),
    "braces": filled("", '{"a":'),
    "one word": filled("", "a"),
    "digits": filled("", "1"),
    "other line ends": filled("", "\x0b\x0c\x1c\x85\u2028"),
}


def at_front(sign: str, **more: Case) -> dict[str, Case]:
    """The reader's own cases, and all others behind what makes it believe that the file is its own."""
    behind = {f"{name} behind": _behind(sign, case) for name, case in ANY.items()}
    return {**behind, **more}


def _behind(sign: str, case: Case) -> Case:
    return lambda size: sign.encode() + case(size)


TABLE = "| model | test | t/s |\n| --- | --- | --- |\n| m | tg8 | 4.0 |\n"
INSERT = "INSERT INTO t (model_type, n_prompt, n_gen, avg_ts) VALUES ('m', '0', '8', '4.0');\n"
OPENED = INSERT.partition("'m'")[0]
LLAMA = at_front(
    TABLE,
    rows=counted(TABLE, "| m | tg8 | #.5 |\n"),
    cells=filled(TABLE, "|"),
    tabs=counted("model\ttest\tt/s\n", "m\ttg8\t#,5\n"),
    marks=counted(TABLE, "| m | tg8 | #,123 |\n"),
    header=filled("", "| a ", "| test | t/s |\n| m | tg8 | 4 |\n"),
    headers=counted("", "| test | # | t/s |\n| tg8 | 1 | 1 |\n"),
    long_header=lambda size: counted("|test|", "c#|", "t/s|\n")(size // 2) + b"|1\n" * (size // 6),
    long_model=lambda size: (
        f"|model|test|t/s|\n|{'m' * (size // 2)}|tg1|1|\n".encode() + counted("", "||tg1|#|\n")(size // 2)
    ),
    variant=lambda size: f"|test|t/s ({'v' * (size // 2)})|\n".encode() + counted("", "|tg1|#|\n")(size // 2),
    sql_quotes=filled(INSERT + OPENED, "'"),
    sql_odd_quotes=filled(INSERT + OPENED + "''", "'"),
    sql_strings=filled(INSERT + OPENED, "'a''b',"),
    sql_words=filled(INSERT, "INSERT\n"),
    sql_open=filled(INSERT, "INSERT INTO t (n_prompt, n_gen, avg_ts) VALUES ('''\n"),
    sql_names=filled(INSERT + "INSERT INTO t (", "n,"),
    sql_blanks=filled(INSERT + "INSERT", " "),
    sql_brackets=filled(INSERT + "INSERT INTO t ", "("),
    json_lines=filled(TABLE, "{x\n"),
    json_arrays=filled(TABLE, "[1,\n"),
    json_cut=filled(TABLE, ("[\n" * 900 + "1,1,1,1,1,1,1,1,1,1\n" * 2000 + "x\n")),
    json_members=filled(TABLE + "[", '{"n_prompt": 8}, '),
    json_empty=filled(TABLE + "[", "{},"),
    json_text=filled(TABLE + '{"a": "', "\\\\"),
    json_digits=filled(TABLE + '{"n_prompt": ', "9"),
    csv_rows=filled("n_prompt,n_gen,avg_ts\n", "8,0,4.5\n"),
    csv_quote=filled('n_prompt,n_gen,avg_ts\n"', "a,"),
    device=filled(TABLE, "Device 0: a, \n"),
    devices=counted(TABLE, "  Device 0: card #, compute capability 8\n"),
    gpu_name=filled(TABLE, "GPU name:" + " " * 280 + "x\n"),
    gpu_names=filled(TABLE, "GPU name: " * 28 + "\n"),
    address=filled(TABLE, "## http://" + "a/" * 140 + "!\n"),
)

DETAILS = '"ID","Kernel Name","Block Size","Metric Name","Metric Unit","Metric Value"\n'
DETAILS += '"0","k","1","gpu__time_duration.sum","ns","5"\n'
UNNUMBERED = '"Process ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\n'
NCU = at_front(
    DETAILS,
    launches=counted(DETAILS, '"#","k","1","gpu__time_duration.sum","ns","5"\n'),
    metrics=counted(DETAILS, '"0","k","1","pipe_tensor_#.sum","ns","5"\n'),
    unnumbered=counted(
        UNNUMBERED, '"1","k","pipe_tensor_#.sum","","5"\n', '"1","k","gpu__time_duration.sum","ns","5"\n'
    ),
    headers=filled("", DETAILS),
    units=counted(DETAILS, '"#","k","1","gpu__time_duration.sum","odd#","5"\n'),
    raw_columns=filled('"ID","Kernel Name","gpu__time_duration.sum"', ',"a [b"', "\n"),
    bracket=filled('"ID","Kernel Name","gpu__time_duration.sum","a', " [", '"\n"0","k","5",""\n'),
    tensor=filled('"ID","Kernel Name","sm__ops_path_tensor_src_', "a_dst_", '!","x"\n"0","k","5",""\n'),
    tensors=counted(DETAILS, '"0","k","1","sm__ops_path_tensor_src_' + "a_dst_" * 30 + '#!.sum","inst","5"\n'),
    raw_rows=filled('"ID","Kernel Name","x","gpu__time_duration.sum"\n"","","","ns"\n', '"0","k","","5"\n'),
    separators=filled('"ID","Kernel Name","x","gpu__time_duration.sum"\n', ","),
    console=counted("", "  k (1, 1, 1)x(1, 1, 1), Context 1, Stream #, Device 0\n    Duration  us  5\n"),
    console_rows=counted("  k (1, 1, 1)x(1, 1, 1), Context 1, Stream 1\n    Section: a\n", "    Duration  us  #\n"),
)

EVENT = '{"ph":"X","cat":"cpu_op","name":"aten::mm","ts":1,"dur":5,"args":{"Input Dims":[[8,8],[8,8]]}}'
TRACE = f'{{"schemaVersion": 1, "traceEvents": [{EVENT},\n'


def _nested(size: int) -> bytes:
    """Operators each inside the one before, then launches and kernels behind all but the first."""
    depth = size // 300
    ops = [
        f'{{"ph":"X","cat":"cpu_op","name":"aten::mm","tid":1,"ts":{i},"dur":{10**6 if i == 0 else 2 * depth - 2 * i}}}'
        for i in range(depth)
    ]
    late = [
        f'{{"ph":"X","cat":"cuda_runtime","tid":1,"ts":{3 * depth + i},"dur":1,"args":{{"correlation":{i}}}}},'
        f'{{"ph":"X","cat":"kernel","name":"k","tid":7,"ts":{4 * depth + i},"dur":1,"args":{{"correlation":{i}}}}}'
        for i in range(depth)
    ]
    return ('{"traceEvents": [' + ",\n".join(ops + late) + "]}").encode()


TORCH = at_front(
    TRACE,
    events=filled(TRACE, EVENT + ",\n", EVENT + "]}"),
    empty=filled(TRACE, "{},", EVENT + "]}"),
    names=counted(TRACE, EVENT.replace("aten::mm", "aten::mm#") + ",\n", EVENT + "]}"),
    shapes=counted(TRACE, EVENT.replace("[8,8],", "[#,8],") + ",\n", EVENT + "]}"),
    threads=counted(TRACE, EVENT.replace('"ts"', '"tid":#,"ts"') + ",\n", EVENT + "]}"),
    kernels=counted(
        TRACE, '{"ph":"X","cat":"kernel","name":"k#","ts":#,"dur":1,"args":{"correlation":#}},\n', EVENT + "]}"
    ),
    launched_by_many=counted(
        TRACE,
        '{"ph":"X","cat":"cpu_op","name":"aten::mm","tid":#,"ts":1,"dur":9},'
        '{"ph":"X","cat":"cuda_runtime","name":"l","tid":#,"ts":2,"dur":1,"args":{"correlation":#}},'
        '{"ph":"X","cat":"kernel","name":"k","ts":3,"dur":1,"args":{"correlation":#}},\n',
        EVENT + "]}",
    ),
    nested=_nested,
    deep_shape=filled(TRACE + EVENT.replace("[8,8],[8,8]", "["), "9,", "9]]}}]}"),
    braces_in_text=filled(TRACE + '{"name":"', "},{", '"}]}'),
    head=filled('{"traceEvents" :1,', '"traceEvents" ,', '"traceEvents": [' + EVENT + "]}"),
    schema=filled("", '"schemaVersion":'),
    schema_blanks=filled('"schemaVersion":', '"deviceProperties" '),
    first=filled("[{", '"ph" '),
    blanks=filled(TRACE, EVENT + " " * 500 + ",\n", EVENT + "]}"),
    odd=filled(TRACE, '{"ph":5,"ts":"1"},', EVENT + "]}"),
    packed=lambda size: gzip.compress(filled(TRACE, EVENT + ",\n", EVENT + "]}")(size)),
    packed_pieces=lambda size: gzip.compress(b"") * (size // 20),
)

DASHES = f"{'-' * 20}  {'-' * 12}  {'-' * 12}  {'-' * 12}\n"
AVERAGES = DASHES + f"{'Name':>20}  {'Self CPU':>12}  {'CPU total':>12}  {'# of Calls':>12}\n" + DASHES
AVERAGES += f"{'aten::mm':>20}  {'5us':>12}  {'5us':>12}  {'1':>12}\n"
AVERAGE_TABLE = at_front(
    AVERAGES,
    rows=counted(AVERAGES, f"{'aten::mm#':>20}  {'5us':>12}  {'5us':>12}  {'1':>12}\n"),
    short_rows=filled(AVERAGES, "a\n"),
    long_row=filled(AVERAGES, "a" * 1000),
    rules=filled(AVERAGES, DASHES),
    rule=filled(AVERAGES, "--- ", "!\n"),
    columns=lambda size: ("--- " * (size // 8) + "\nName  Self CPU  # of Calls\n" + "a\n" * (size // 4)).encode(),
    headers=filled(DASHES + "Name  ", "Self CPU ", "\n"),
)
ROOFS = "device,HBMBw,MFMAF16Flops\n0,1000,90000\n"
COUNTERS = "Kernel_Name,Start_Timestamp,End_Timestamp,SQ_WAVES\nk,1,5,2\n"
ROCPROF = at_front(
    ROOFS,
    rows=filled(ROOFS, "0,1,2\n"),
    devices=counted(ROOFS, "#,1,2\n"),
    kernels=counted(COUNTERS, "k#,1,5,2\n"),
    columns=lambda size: ("HBMBw,L2Bw," + "c," * (size // 4) + "x\n" + "1\n" * (size // 4)).encode(),
    quote=filled(ROOFS + '"', "a,"),
    matrix=filled("Kernel_Name,Start_Timestamp,End_Timestamp,SQ_INSTS_VALU_MFMA_MOPS_F", "1", "!\nk,1,5,2\n"),
    name=filled("HBMBw,L2Bw,MFMAF", "1", "!\n1,2,3\n"),
)
ERT_TEXT = "  100.5 GFLOPs\n  900.0 L1\n   50.0 DRAM\n"
ERT = at_front(
    ERT_TEXT,
    spaces=filled(ERT_TEXT + " 5 a", " ", "x\n"),
    leading=filled(ERT_TEXT, "5" + " " * 400 + "\n"),
    rows=filled(ERT_TEXT, "1 L1\n"),
    odd_rows=counted(ERT_TEXT, "1 x#\n"),
    figures=filled(ERT_TEXT + "1", "e+1", " L1\n"),
    host=filled(ERT_TEXT + "META_DATA\n", "HOSTNAME "),
    json_data=filled(
        '{"empirical": {"gflops": {"data": [', '["x", 1],', '["GFLOPs", 8]]}, "gbytes": {"data": [["DRAM", 1]]}}}'
    ),
    json_empty=filled('{"empirical": {"gbytes": {"data": [', "[],", '["DRAM", 1]]}}}'),
)
MIX = "Device: x\nExperiment ID, Single Precision ops,,,\n"
MIX += "Compute iters, Flops/byte, ex.time, GFLOPS, GB/sec\n0, 0.25, 1.0, 5.0, 20.0\n"
MIXBENCH = at_front(
    MIX,
    rows=filled(MIX, "0,1,1,1,1\n"),
    steps=filled(MIX + "1", " ", "/x\n"),
    blocks=lambda size: (
        "Experiment ID" + ",a" * (size // 100) + "\nCompute iters"
        + ",Flops/byte,ex.time,GFLOPS,GB/sec" * (size // 100) + "\n" + "1\n" * (size // 4)
    ).encode(),
    some_blocks=filled(
        "Experiment ID" + ",a" * 16 + "\nCompute iters" + ",Flops/byte,ex.time,GFLOPS,GB/sec" * 16 + "\n", "1\n"
    ),
    title=lambda size: MIX.replace("Single", "s" * (size // 2)).encode() + b"0,1,1,1,1\n" * (size // 20),
    device=filled(MIX, "Device:" + " " * 300 + "x\n"),
)  # fmt: skip
STREAM = "BabelStream\nFunction    MBytes/sec  Min (sec)\nCopy   100.5   0.1\n"
BABEL = at_front(
    STREAM,
    rows=filled(STREAM, "Copy 1\n"),
    function=filled(STREAM, "function "),
    csv_header=filled("function,max_mbytes_per_sec", ",x", "\ncopy,5\n"),
    csv_rows=filled("function,max_mbytes_per_sec\n", "copy,5\n"),
    best=filled(STREAM + "Function", " ", "x\n"),
    using=filled(STREAM, "Using " + "x" * 300 + "\n"),
)
CARM_ROW = json.dumps({"cache_level": "L1", "bandwidth_gbps": 170.0}) + "\n"
CARM = at_front(CARM_ROW, rows=filled("", CARM_ROW), broken=filled(CARM_ROW, "{\n"), empty=filled(CARM_ROW, "{}\n"))
MATRIX = "Running device_local_copy.\nmemcpy local GPU(column) bandwidth (GB/s)\n           0\n 0    1200.5\n"
NVBANDWIDTH = at_front(
    MATRIX,
    bandwidth=filled(MATRIX, "bandwidth "),
    brackets_in_title=filled(MATRIX + "memcpy bandwidth ", "("),
    row=filled(MATRIX + "0", " 1.5", "!\n"),
    rows=filled(MATRIX, "0 1.5\n"),
    running=filled(MATRIX, "Running " + "a" * 300 + "!\n"),
    running_blanks=filled(MATRIX, "Running" + " " * 300 + "!\n"),
    titles=filled("", "memcpy x bandwidth (GB/s)\n"),
    json_rows=filled('{"testcases": [{"bandwidth_matrix": [', '["1.5"],', '["1"]]}]}'),
)

U32, U64 = struct.Struct("<I"), struct.Struct("<Q")


def _text(text: bytes) -> bytes:
    return U64.pack(len(text)) + text


def _gguf(keys: int, pairs: bytes, tensors: int = 0, listed: bytes = b"") -> bytes:
    return b"GGUF" + U32.pack(3) + U64.pack(tensors) + U64.pack(keys) + pairs + listed


def _array(kind: int, number: int, data: bytes) -> bytes:
    return _text(b"k") + U32.pack(9) + U32.pack(kind) + U64.pack(number) + data


def _pair(index: int) -> bytes:
    return _text(b"%06d" % index) + U32.pack(0) + b"\0"


def _tensor(index: int) -> bytes:
    return _text(b"t%d" % index) + U32.pack(1) + U64.pack(1) + U32.pack(0) + U64.pack(0)


GGUF: dict[str, Case] = {
    "strings": lambda size: _gguf(1, _array(8, size // 8, bytes(size))),
    "long strings": lambda size: _gguf(1, _array(8, size // 1008, _text(bytes(1000)) * (size // 1008))),
    "bytes": lambda size: _gguf(1, _array(0, size, bytes(size))),
    "small arrays": lambda size: _gguf(size // 4125, _array(0, 4096, bytes(4096)) * (size // 4125)),
    "keys": lambda size: _gguf(size // 19, b"".join(map(_pair, range(size // 19)))),
    "texts": lambda size: _gguf(size // 4109, (_text(b"k") + U32.pack(8) + _text(b"\xff" * 4080)) * (size // 4109)),
    "tensors": lambda size: _gguf(0, b"", size // 36, b"".join(map(_tensor, range(size // 36)))),
    "lying keys": lambda size: _gguf(2**60, bytes(size)),
    "lying tensors": lambda size: _gguf(0, b"", 2**60, bytes(size)),
    "lying strings": lambda size: _gguf(1, _array(8, 2**60, bytes(size))),
    "lying length": lambda size: _gguf(1, U64.pack(2**63) + bytes(size)),
    "lying bytes": lambda size: _gguf(1, _array(0, 2**62, bytes(size))),
    "array of arrays": lambda size: _gguf(1, _array(9, 2**30, bytes(size))),
}  # fmt: skip


def _safe(case: Case) -> Case:
    return lambda size: _with_length(case(size))


def _with_length(head: bytes) -> bytes:
    return U64.pack(len(head)) + head


ONE = '"t#":{"dtype":"F32","shape":[],"data_offsets":[0,0]},'
SAFETENSORS = {
    "tensors": _safe(counted("{", ONE, '"x":{}}')),
    "lists": _safe(filled('{"x":[', "[],", "[]]}")),
    "objects": _safe(filled('{"x":[', "{},", "{}]}")),
    "nested": _safe(filled('{"x":', "[")),
    "metadata": _safe(counted('{"__metadata__":{', '"#":"x",', '"x":"x"}}')),
    "shape": _safe(filled('{"x":{"dtype":"F32","data_offsets":[0,0],"shape":[', "0,", "0]}}")),
    "digits": _safe(filled('{"x":{"dtype":"F32","data_offsets":[0,0],"shape":[', "9", "]}}")),
    "blanks": _safe(filled("{", " ")),
    "text": _safe(filled('{"', "\\u00e9", '":1}')),
}
INDEX = {
    "tensors": counted('{"weight_map":{', '"#":"a.safetensors",', '"x":"a.safetensors"}}'),
    "shards": counted('{"weight_map":{', '"#":"#.safetensors",', '"x":"a.safetensors"}}'),
    "lists": filled('{"metadata":[', "[],", '[]],"weight_map":{"x":"a.safetensors"}}'),
    **ANY,
}
CONFIG = {
    **ANY,
    "objects": filled('{"model_type": "llama", "x": [', "{},", "{}]}"),
    "lists": filled('{"model_type": "llama", "x": [', "[],", "[]]}"),
    "keys": counted('{"model_type": "llama"', ',"#":1', "}"),
    "texts": counted('{"model_type": "llama", "x": [', '"#",', '""]}'),
    "escapes": filled('{"model_type": "', "\\\\", '"}'),
    "surrogates": filled('{"model_type": "', "\\ud83d\\ude00", '"}'),
    "digits": filled('{"x": ', "9", "}"),
    "deep": filled('{"x": ', "[", "1" + "]" * 5 + "}"),
}
STUDY = {
    **ANY,
    "values": filled("format: 1\nx:\n", "- 1\n"),
    "rows": counted("format: 1\noperators:\n", "- {id: r#, name: r#, kind: matmul, dims: {m: 8}}\n"),
    "odd rows": filled("format: 1\noperators:\n", "- x\n"),
    "odd keys": counted("format: 1\n", "k#: 1\n"),
    "same keys": filled("format: 1\n", "k: 1\n"),
    "flow": filled("format: 1\nx: [", "1,", "1]"),
    "flow keys": filled("{", "a,", "}"),
    "directives": counted("", "%TAG !a#! x\n", "---\na: 1\n"),
    "anchors": filled("a: ", "&a "),
    "laughs": counted("a0: &a0 [x]\n", "b#: &b# [*a0, *a0]\n"),
    "tags": filled("a: ", "!"),
    "documents": filled("", "---\n"),
    "comments": filled("", "#\n", "a: 1\n"),
    "folded": filled("a: >\n", "  x\n\n"),
    "literal": filled("a: |\n", "  x\n"),
    "escapes": filled('a: "', "\\n", '"'),
    "figure": filled("format: ", "9"),
    "power": filled("format: 1e", "9"),
    "fraction": filled("format: 1.", "1", "e-5"),
    "question": filled("", "? "),
    "dashes": filled("", "- "),
    "colons": filled("a", ":"),
    "long key": filled("? ", "a", "\n: 1\n"),
}
PASTED = {
    **ANY,
    "tabs": filled("name\tkind\n", "\t"),
    "rows": filled("name\tkind\tdims\n", "a\tmatmul\tm=8\n"),
    "dims": filled("name\tkind\tdims\n", "a\tmatmul\t" + "a" * 1900 + "\n"),
    "commas": filled("name\tkind\tdims\n", "a\tmatmul\t" + ", " * 900 + "\n"),
    "equals": filled("name\tkind\tdims\n", "a\tmatmul\t" + "m=8 " * 400 + "\n"),
    "figures": filled("name\ttime\n", "a\t" + "1" * 1000 + "x\n"),
    "grouped": filled("name\ttokens/s\n", "a\t" + "1.111" * 200 + "x\n"),
}

CASES: dict[str, dict[str, Case]] = {
    "Nsight Compute": NCU,
    "torch profiler trace": TORCH,
    "torch profiler table": AVERAGE_TABLE,
    "rocprof-compute": ROCPROF,
    "llama-bench": LLAMA,
    "ERT": ERT,
    "mixbench": MIXBENCH,
    "BabelStream": BABEL,
    "CARM": CARM,
    "nvbandwidth": NVBANDWIDTH,
    "no tool": ANY,
    "gguf": GGUF,
    "safetensors": SAFETENSORS,
    "index": INDEX,
    "config": CONFIG,
    "study": STUDY,
    "device": STUDY,
    "kind of file": {**CONFIG, **STUDY},
    "pasted rows": PASTED,
    "pasted measurements": PASTED,
}
