"""Every sentence of the program: importing this registers all templates (by name, so that packing finds them)."""

# ruff: noqa: F401
import explorer.presentation.answer.beside
import explorer.presentation.answer.lever_texts
import explorer.presentation.answer.texts
import explorer.presentation.api_texts
import explorer.presentation.compare.texts
import explorer.presentation.explain.texts
import explorer.presentation.hardware.device_texts
import explorer.presentation.hardware.texts
import explorer.presentation.measured.gap_texts
import explorer.presentation.measured.import_texts
import explorer.presentation.measured.measure_texts
import explorer.presentation.quantities.quantity_texts
import explorer.presentation.quantities.typed_texts
import explorer.presentation.roofline.texts
import explorer.presentation.slide.conditions_texts
import explorer.presentation.slide.export_texts
import explorer.presentation.slide.texts
import explorer.presentation.tables.column_texts
import explorer.presentation.tables.device_column_texts
import explorer.presentation.views.capacity_texts
import explorer.presentation.views.compared.frontier_texts
import explorer.presentation.views.decode_texts
import explorer.presentation.views.held.texts
import explorer.presentation.words.bounds
import explorer.presentation.words.cli_texts
import explorer.presentation.words.core_texts
import explorer.presentation.words.file_texts
import explorer.presentation.words.kind_texts
import explorer.presentation.words.model_family_texts
import explorer.presentation.words.model_texts
import explorer.presentation.words.one_pass_texts
import explorer.presentation.words.parts
import explorer.presentation.words.phases
import explorer.presentation.words.study_texts
import explorer.presentation.words.tensor_texts
