"""Every kind of tower that can be read, by the `model_type` of its own config."""

from typing import Final

from explorer.analysis.models.towers.conformers import CONFORMER_TOWERS
from explorer.analysis.models.towers.davit import DAVIT_TOWERS
from explorer.analysis.models.towers.discrete import DISCRETE_TOWERS
from explorer.analysis.models.towers.dynamic import DYNAMIC_TOWERS
from explorer.analysis.models.towers.parts import Tower
from explorer.analysis.models.towers.sound import SOUND_TOWERS
from explorer.analysis.models.towers.tiled import TILED_TOWERS
from explorer.analysis.models.towers.vit import VIT_TOWERS

TOWERS: Final[dict[str, Tower]] = {
    **VIT_TOWERS,
    **DYNAMIC_TOWERS,
    **TILED_TOWERS,
    **DAVIT_TOWERS,
    **DISCRETE_TOWERS,
    **SOUND_TOWERS,
    **CONFORMER_TOWERS,
}
