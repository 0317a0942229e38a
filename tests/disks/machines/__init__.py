# SPDX-License-Identifier: MIT
"""The machines, one function each, grouped by what their disks hang on."""

from kit import reports
from kit.capture import Machine

BUILDERS = []


def captured(kernel, title, source, filled, hostile=False, folder=None):
    """Registers a function as the composer of one machine.

    The machine is called after the function.  `source` names the report or log
    that the deciding lines come from, `filled` what was composed around it."""
    where = folder if folder is not None else "hostile" if hostile else ""

    def register(function):
        name = function.__name__.replace("_", "-")
        from_where = f"cases.jsonl {name}: {source}" if where == "cases" else source

        def build():
            machine = Machine(name, kernel, title, from_where, filled, where)
            function(machine)
            return machine
        build.name, build.folder = name, where
        BUILDERS.append(build)
        return function
    return register


def case(kernel, title, facts, filled):
    """Registers a function as the composer of the case of that name (cases/).

    `facts` says which lines are from the report, `filled` which are not."""
    def register(function):
        name = function.__name__.replace("_", "-")
        if name not in reports.URL:
            raise ValueError(f"{name}: no such case")
        return captured(kernel, title, facts, filled, folder="cases")(function)
    return register
