"""Which part of the package may import which, and a checker that reads the source without running it.

Belongs here: the rules as a table, and the checker. Not here: the tests of both (test_imports.py).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

PACKAGE = "orders_pipeline"

_BASE = frozenset(
    {
        "models",
        "encoding",
        "config",
        "mailbox_settings",
        "model_settings",
        "usage_settings",
        "errors",
        "days",
        "domains",
        "html_limits",
        "html_tree",
    }
)
_DOMAIN = frozenset({"mail", "extract", "review", "orders", "quality", "sample", "scoring"})
_BELOW_DEFS = _BASE | _DOMAIN | {"llm", "progress", "store", "stages", "crash_points"}

# Part of the package -> the other parts that it may import. A part without a line here is a violation.
ALLOWED: Mapping[str, frozenset[str]] = {
    "models": frozenset(),
    "errors": frozenset(),
    "crash_points": frozenset(),
    "encoding": frozenset({"models", "errors"}),
    "mailbox_settings": frozenset(),
    "model_settings": frozenset({"mailbox_settings"}),
    "usage_settings": frozenset({"mailbox_settings"}),
    "domains": frozenset(),
    "html_limits": frozenset(),
    "html_tree": frozenset(),
    "config": frozenset({"models", "errors", "encoding", "mailbox_settings", "model_settings", "usage_settings"}),
    "secret": frozenset({"errors"}),
    "days": frozenset({"models", "errors"}),
    "progress": frozenset({"models", "errors", "config", "days"}),
    **dict.fromkeys(_DOMAIN, _BASE),
    "wire": frozenset(),
    "mail": _BASE | {"secret", "wire"},
    "llm": _BASE | {"secret", "wire"},
    "extract": _BASE | {"llm"},  # the form of an answer alone
    "review": _BASE | {"llm"},  # a judge asks a model; where the answers are kept is not its affair
    "store": _BASE | {"progress", "crash_points"},  # it reads rows into the ledger's records
    "stages": _BASE | _DOMAIN | {"llm", "progress", "store", "crash_points"},
    "defs": _BELOW_DEFS,
    "definitions": frozenset({"defs"}),
    "page": _BELOW_DEFS,
    "cli": _BELOW_DEFS | {"defs", "page"},
    "__main__": frozenset({"cli"}),
    "__init__": frozenset(),
}

# Libraries that belong to certain parts alone; a name stands for all modules that begin with it.
RESERVED: Mapping[str, frozenset[str]] = {
    "dagster": frozenset({"defs", "definitions"}),
    "duckdb": frozenset({"store"}),
}


def violations(module: str, source: str, modules: Iterable[str]) -> list[str]:
    """What a module imports and should not, one line each: ``orders_pipeline.mail.imap:3 imports ...``.

    ``module`` is the dotted name (a package's own file ends in ``.__init__``), ``modules`` all names of the package,
    which tell ``from package import module`` from ``from package import name``.
    """
    part = module.split(".")[1]
    if part not in ALLOWED:
        return [f"{module}: no rule for {PACKAGE}.{part}; give it a line in import_rules.py"]
    found = []
    for line, target in sorted(set(_imports(module, ast.parse(source), frozenset(modules)))):
        top, _, rest = target.partition(".")
        if top == PACKAGE:
            other = rest.partition(".")[0]
            if other and other != part and other not in ALLOWED[part]:
                found.append(f"{module}:{line} imports {target}: {part} may not import {other}")
            continue
        for library, parts in RESERVED.items():
            if top.startswith(library) and part not in parts:
                found.append(f"{module}:{line} imports {target}: only {', '.join(sorted(parts))} may")
    return found


def package_modules(root: Path) -> dict[str, Path]:
    """Dotted name -> file for every module below ``root``, the package's folder."""
    return {".".join(path.relative_to(root.parent).with_suffix("").parts): path for path in sorted(root.rglob("*.py"))}


def _imports(module: str, tree: ast.AST, modules: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Every import as (line, absolute dotted name): in functions and type-checking blocks too, and by name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(module, node)
            for alias in node.names:
                full = f"{base}.{alias.name}"
                is_module = full in modules or f"{full}.__init__" in modules
                yield node.lineno, full if is_module else base
        elif isinstance(node, ast.Call) and _calls_import(node):
            argument = node.args[0]
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                yield node.lineno, argument.value


def _absolute(module: str, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    parents = module.split(".")[: -node.level]
    return ".".join([*parents, node.module] if node.module else parents)


def _calls_import(node: ast.Call) -> bool:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return name in {"import_module", "__import__"} and bool(node.args)
