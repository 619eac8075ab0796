"""Core's door to the engine's numeric loops: whether they run as machine code or, while that is made, as Python."""

from engine.compiled import all_loaded, compiling, interpret, is_compiled

__all__ = ["all_loaded", "compiling", "interpret", "is_compiled"]
