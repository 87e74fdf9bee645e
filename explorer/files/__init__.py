"""Readers and writers of every file the program touches."""
