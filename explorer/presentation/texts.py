"""Every sentence of the program: importing this registers all templates (by name, so that packing finds them)."""

# ruff: noqa: F401
import explorer.presentation.answer_texts
import explorer.presentation.api_texts
import explorer.presentation.cli_texts
import explorer.presentation.column_texts
import explorer.presentation.core_texts
import explorer.presentation.decode_texts
import explorer.presentation.device_column_texts
import explorer.presentation.device_texts
import explorer.presentation.explain_texts
import explorer.presentation.export_texts
import explorer.presentation.file_texts
import explorer.presentation.fit_texts
import explorer.presentation.gap_texts
import explorer.presentation.hardware_texts
import explorer.presentation.import_texts
import explorer.presentation.kind_texts
import explorer.presentation.measure_texts
import explorer.presentation.model_family_texts
import explorer.presentation.model_texts
import explorer.presentation.quantity_texts
import explorer.presentation.roofline_texts
import explorer.presentation.slide_texts
import explorer.presentation.study_texts
import explorer.presentation.tensor_texts
import explorer.presentation.typed_texts
