"""The program as a library: what `import explorer` offers a notebook, each module imported when it is asked for."""
