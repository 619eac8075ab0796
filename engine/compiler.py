"""Numba, set up to compile a few dozen plain loops in less than half the time.

Compiling is what a fresh clone spends its first minute on, and most of that is not LLVM but Numba's own Python. What
our loops never use is left out here, what Numba does again and again is done once:

* :class:`ShortPipeline` runs only the passes that loops over arrays and numbers need: none for closures, context
  managers, array expressions, inlining on Numba's level or literal unrolling. Between passes Numba analyses a function
  anew, so each one left out saves twice.
* :class:`Library`: a part of a loop is linked into what calls it and optimised there. By itself it is never run, so it
  is not optimised and turned into machine code on every level of a call tree as well.
* :class:`Files` reads machine code without the hundred modules of implementations that only a compiler asks for.
* Flags are the key under which Numba remembers its own functions, compared tens of thousands of times.
* Python's collector of cyclic garbage finds none of what a compiler keeps: it pauses.

Only ``engine.compiled`` imports this module, when the first machine code is wanted.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# Numba dresses up the message of every signature that does not fit, to show it to nobody.
os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")

import numba
from numba.core import typed_passes, types, untyped_passes
from numba.core.caching import FunctionCache
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import PassManager
from numba.core.environment import lookup_environment
from numba.core.registry import cpu_target
from numba.core.targetconfig import TargetConfig

Dispatcher = types.Dispatcher

PASSES = (
    (untyped_passes.TranslateByteCode, "read the bytecode"),
    (untyped_passes.FixupArgs, "name the arguments"),
    (untyped_passes.IRProcessing, "process what was read"),
    (untyped_passes.GenericRewrites, "find constant indices"),
    (untyped_passes.ReconstructSSA, "give each value a name of its own"),
    (typed_passes.NopythonTypeInference, "find the types"),
    (typed_passes.PreLowerStripPhis, "remove phi nodes"),
    (typed_passes.IRLegalization, "say where values end"),
    (typed_passes.AnnotateTypes, "note the types"),
    (typed_passes.NativeLowering, "write it for LLVM"),
    (typed_passes.NoPythonBackend, "make it callable"),
)


class ShortPipeline(CompilerBase):
    """The passes of a plain loop."""

    def define_pipelines(self) -> list[PassManager]:
        manager = PassManager("plain loop")
        for each, reason in PASSES:
            manager.add_pass(each, reason)
        manager.finalize()
        return [manager]


class Library(JITCodeLibrary):
    """Code of one function and all it calls; machine code only if Python can call it."""

    def finalize(self) -> None:
        if self._is_entry():
            super().finalize()
            self._set_environments()
        else:
            self._link()
            self._finalize_dynamic_globals()
            self._finalized = True

    def _optimize_functions(self, ll_module: Any) -> None:
        """Left to the one pass over the whole module: it comes to the same."""
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        """Once: Numba's cheaper pass before it only brings reference counts together, and our loops have none."""
        manager, builder = self._codegen._module_pass_manager()
        manager.run(self._final_module, builder)

    def _is_entry(self) -> bool:
        """Whether there is a wrapper for Python, or something that Numba keeps for itself."""
        names = [function.name for function in self._final_module.functions]
        return any(name.startswith("_ZN7cpython") for name in names) or not any(n.startswith("_ZN") for n in names)

    def _link(self) -> None:
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)

    def _set_environments(self) -> None:
        """The parts linked in here had no address for theirs until now."""
        for variable in self._final_module.global_variables:
            if variable.name.startswith("_ZN08NumbaEnv") and (found := lookup_environment(variable.name)) is not None:
                self.codegen.set_env(variable.name, found)


class Codegen(JITCPUCodegen):
    """What makes libraries, and tells their code where its environment is."""

    _library_class = Library

    def set_env(self, env_name: str, env: Any) -> None:
        if self._engine.is_symbol_defined(env_name):
            super().set_env(env_name, env)


class Files(FunctionCache):
    """Machine code on disk, of a loop that makes no arrays: it needs nothing of Numba's to run."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)


def _is_same(self: TargetConfig, other: object) -> Any:
    """Flags compared by what is set, which decides nearly always, before all sixty are spelt out."""
    if not isinstance(other, TargetConfig):
        return NotImplemented
    return self is other or self._values == other._values or self.values() == other.values()


def _install() -> None:
    cpu_target.target_context.codegen().__class__ = Codegen
    flags: Any = TargetConfig
    flags.__eq__ = _is_same
    flags.__hash__ = lambda self: hash(type(self))  # Numba's own is the same for all flags of a type, too


_install()


def dispatcher(python: Any, options: dict[str, Any]) -> Any:
    """Numba's side of a loop. It is compiled for the types of its arguments, not again for every constant."""
    made = numba.njit(pipeline_class=ShortPipeline, **options)(python)
    template = made.get_call_template
    made.get_call_template = lambda args, kws: template(tuple(types.unliteral(arg) for arg in args), kws)
    if "cache" in options and "_nrt" in options:
        made._cache = Files(made.py_func)
    return made


@contextlib.contextmanager
def without_collecting() -> Iterator[None]:
    """Cyclic garbage waits until the compiler is done."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


MADV_DONTNEED = 4
LLVM = "libllvmlite"


def give_back_memory() -> None:
    """Let go of LLVM itself, 50 MB that a process is charged for and uses no more once its loops are loaded.

    The pages are clean copies of a file and come back by themselves when they are wanted. Elsewhere than on Linux they
    stay.
    """
    with contextlib.suppress(OSError, AttributeError):
        libc = ctypes.CDLL(None)
        for first, last in _clean_extents(Path("/proc/self/smaps").read_text()):
            libc.madvise(ctypes.c_void_p(first), ctypes.c_size_t(last - first), MADV_DONTNEED)


def _clean_extents(smaps: str) -> Iterator[tuple[int, int]]:
    """Where LLVM's file is mapped and nothing can be or has been written to."""
    extent = None
    for line in smaps.splitlines():
        name, *words = line.split()
        if "-" in name and not name.endswith(":"):
            first, last = (int(address, 16) for address in name.split("-"))
            extent = (first, last) if LLVM in line and "w" not in words[0] else None
        elif extent and name == "Anonymous:" and words[0] == "0":
            yield extent
