"""The one painter of figures, and the one module that knows pyqtgraph."""
