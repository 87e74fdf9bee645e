"""All importers, in the order in which a file is offered to them."""

from typing import Final

from explorer.files.importers import babelstream, carm, ert, llama, mixbench, ncu, nvbandwidth, rocprof
from explorer.files.importers.importer import Importer
from explorer.files.importers.torch import table, trace

IMPORTERS: Final[tuple[Importer, ...]] = (
    ncu.IMPORTER,
    trace.IMPORTER,
    table.IMPORTER,
    rocprof.IMPORTER,
    llama.IMPORTER,
    ert.IMPORTER,
    mixbench.IMPORTER,
    babelstream.IMPORTER,
    carm.IMPORTER,
    nvbandwidth.IMPORTER,
)
