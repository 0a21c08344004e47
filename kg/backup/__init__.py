"""The whole graph in one file, and back."""

from kg.backup.claims import LeftOut
from kg.backup.exporting import ExportReport, export_graph
from kg.backup.importing import ImportReport, import_graph

__all__ = ["ExportReport", "ImportReport", "LeftOut", "export_graph", "import_graph"]
