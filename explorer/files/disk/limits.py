"""How large a file of each kind may be: what is beyond is refused in one sentence before it costs time or memory.

Each limit leaves room over the largest file of its kind that is known, and keeps the reader below two seconds of CPU
and 300 MB. Two kinds may take longer, since they may be that large for good reason: traces and counter pages, read as
a stream beside the window (a second for some 100 MB, and they can be cancelled), and studies, which must open again
however large they were saved.
"""

from typing import Final

KIB: Final = 2**10
MIB: Final = 2**20

HEAD: Final = 256 * KIB  # as far as recognising looks into a file
HEAD_LINES: Final = 20_000
DEVICE: Final = 1_000_000
STUDY: Final = 64 * MIB
YAML_VALUES: Final = 4_000_000
CONFIG: Final = 8 * MIB  # lists of unquantised modules make some configs a few MB
FOLDER_ENTRIES: Final = 20_000  # looked at in a folder

# headers of weights
GGUF_HEAD: Final = 64 * MIB  # the largest vocabularies take some 20 MB
GGUF_KEYS: Final = 20_000
GGUF_TENSORS: Final = 100_000
GGUF_STRINGS: Final = 4_000_000  # in arrays, all together
GGUF_KEPT_TEXT: Final = 8 * MIB
GGUF_KEPT_NUMBERS: Final = 500_000
SAFETENSORS_HEAD: Final = 32 * MIB
SAFETENSORS_TENSORS: Final = 250_000
INDEX: Final = 32 * MIB
INDEX_TENSORS: Final = 400_000

# files of measuring tools
TOOL_TEXT: Final = 8 * MIB  # read as a whole
TOOL_JSON: Final = 512 * KIB  # parsed in one go, for which the window has to wait
TOOL_LINES: Final = 400_000
TOOL_TABLE: Final = 24 * MIB  # read line by line
TOOL_STREAM: Final = 512 * MIB  # traces and pages of counters, after unpacking
TOOL_LINE: Final = 4 * MIB  # of a stream; also one event and the head of a trace
TOOL_POINTS: Final = 100_000
TOOL_FIGURES: Final = 1_500_000  # counters of all launches together
TOOL_ROWS: Final = 4_000_000
TOOL_PAGES: Final = 1_000
TOOL_COLUMNS: Final = 20_000
TRACE_EVENTS: Final = 4_000_000
TRACE_SPANS: Final = 1_000_000
TRACE_KINDS: Final = 20_000  # different operators, shapes, kernels, threads
PACKED_MEMBERS: Final = 1_000
