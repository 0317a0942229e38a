# SPDX-License-Identifier: MIT
"""The machines, one function each, grouped by what their disks hang on."""

from kit.capture import Machine

BUILDERS = []


def captured(kernel, title, source, filled, hostile=False):
    """Registers a function as the composer of one machine.

    The machine is called after the function.  `source` names the report or log
    that the deciding lines come from, `filled` what was composed around it."""
    def register(function):
        name = function.__name__.replace("_", "-")

        def build():
            machine = Machine(name, kernel, title, source, filled)
            function(machine)
            return machine
        build.name, build.hostile = name, hostile
        BUILDERS.append(build)
        return function
    return register
