# SPDX-License-Identifier: MIT
"""The capture file itself: blocks of one sysfs device each, extra files, expectations.

A Machine collects blocks and knows how to write them in the format that
README.md describes.  Nothing here knows a disk.  Text is written as bytes with
surrogateescape, so that a hostile capture can hold any byte.
"""

import os
import posixpath

from . import reports

WIDTH = 78


def escape(value):
    """Escapes a value the way umockdev-record does: backslash and newline only."""
    return value.replace("\\", "\\\\").replace("\n", "\\n")


def relative(target, folder):
    """Text of a sysfs symlink in `folder` to `target`, as kernfs composes it.

    Where the target is an ancestor of the link, kernfs climbs to the target's
    parent and names the target: `device` of nvme0n1 is ../../nvme0, not `..`.
    """
    climbed = posixpath.relpath(posixpath.dirname(target), folder)
    return posixpath.join(climbed, posixpath.basename(target))


class Block:
    """One sysfs device: P, N, S, E, then A, H and L sorted by name, then M."""

    def __init__(self, path, subsystem, node=None):
        self.path = path
        self.node = node
        self.symlinks = []
        self.props = {"SUBSYSTEM": subsystem}
        self.attrs = {}
        self.modes = {}

    def set(self, attrs):
        """Sets attributes; each value gets the newline that sysfs ends it with.

        None removes the attribute, as on a kernel that does not have it."""
        for name, value in attrs.items():
            if value is None:
                self.attrs.pop(name, None)
            else:
                self.attrs[name] = ("A", f"{value}\n")
        return self

    def raw(self, name, value):
        """Sets an attribute byte for byte, without the newline."""
        self.attrs[name] = ("A", value)
        return self

    def hex(self, name, data):
        """Sets a binary attribute."""
        self.attrs[name] = ("H", data.hex().upper())
        return self

    def drop(self, *names):
        """Removes attributes, and all of a folder for a name ending in a slash."""
        for name in names:
            for known in list(self.attrs):
                if known == name or name.endswith("/") and known.startswith(name):
                    del self.attrs[known]
        return self

    def link(self, name, target):
        """Sets a symlink to the device or driver at `target` (without /sys)."""
        folder = posixpath.join(self.path, posixpath.dirname(name))
        self.attrs[name] = ("L", relative(target, folder.rstrip("/")))
        return self

    def link_text(self, name, text):
        """Sets a symlink whose text need not lead anywhere."""
        self.attrs[name] = ("L", text)
        return self

    def driver(self, bus, name):
        return self.link("driver", f"/bus/{bus}/drivers/{name}")

    def prop(self, props):
        for key, value in props.items():
            if value is None:
                self.props.pop(key, None)
            else:
                self.props[key] = str(value)
        return self

    def mode(self, name, mode):
        self.modes[name] = mode
        return self

    def get(self, name):
        """The text of an attribute without its newline."""
        return self.attrs[name][1].rstrip("\n")

    def lines(self):
        yield f"P: {self.path}"
        if self.node:
            yield f"N: {self.node}"
        for name in sorted(self.symlinks):
            yield f"S: {name}"
        for key in sorted(self.props):
            yield f"E: {key}={self.props[key]}"
        for name in sorted(self.attrs):
            kind, value = self.attrs[name]
            yield f"{kind}: {name}={escape(value) if kind == 'A' else value}"
        for name in sorted(self.modes):
            yield f"M: {name}={self.modes[name]}"


class Machine:
    """One captured machine and what the agent ought to say about its disks."""

    def __init__(self, name, kernel, title, source, filled, folder=""):
        self.name = name
        self.folder = folder
        self.kernel = kernel
        self.title = title
        self.source = source
        self.filled = filled
        self.blocks = {}
        self.files = {}
        self.expected = []
        self.machine_findings = []
        self.dissent = ""
        self.diskseq = 8
        self.minors = {}

    def add(self, path, subsystem, node=None):
        if path in self.blocks:
            raise ValueError(f"{self.name}: {path} composed twice")
        self.blocks[path] = Block(path, subsystem, node)
        return self.blocks[path]

    def have(self, path, subsystem):
        """The block at `path`, composed on first use: shared parents."""
        return self.blocks.get(path) or self.add(path, subsystem)

    def file(self, path, text):
        """A file outside the devices: configuration, state, lists."""
        self.files[path] = text

    def kernel_log(self, lines, start=1.0, step=0.004):
        """Adds lines to the kernel log.  A line that brings no stamp "[    1.234567]"
        gets one; a later call with a later `start` goes on after a gap."""
        text = self.files.get("/dev/kmsg", "")
        for line in lines:
            if not line.startswith("["):
                line = f"[{start:12.6f}] {line}"
                start += step
            text += line + "\n"
        self.files["/dev/kmsg"] = text

    def expect(self, disk, klass, transport, medium, attachment, ncq="none",
               findings=(), why=None):
        """What the agent ought to say of `disk`; findings are "id:severity"."""
        self.expected.append((disk, why, (
            f"{disk} class={klass} transport={transport} medium={medium} "
            f"attachment={attachment} ncq={ncq} findings={joined(findings)}")))

    def expect_machine(self, findings, why=None):
        """The findings of the machine as a whole; without a call there are none."""
        self.machine_findings.append((why, f"machine findings={joined(findings)}"))

    def disagree(self, text):
        """Why the expectation is another than the report's right answer."""
        self.dissent = text

    def head(self):
        yield "# SPDX-License-Identifier: MIT"
        for label, text in (("", self.title), ("Source: ", self.source),
                            ("Composed: ", self.filled)):
            yield from comment(label + text)
        for url in reports.urls(self.source):
            yield f"# Report: {url}"

    def capture(self):
        """The whole file as bytes.

        No empty line stands before the first block, and no two in a row: without
        its #, F: and M: lines the file is one that umockdev takes as it is."""
        head = list(self.head()) + ["#"]
        head += [f"F: {path}={escape(text)}"
                 for path, text in sorted(self.files.items())] + ["#"]
        parts = ["\n".join(block.lines()) for block in self.blocks.values()]
        return encode("\n".join(head) + "\n" + "\n\n".join(parts) + "\n")

    def expectation(self):
        lines = ["# SPDX-License-Identifier: MIT"]
        if self.dissent:
            lines += comment("Not as the right answer: " + self.dissent)
        expected = self.machine_findings + [rest for _, *rest in self.expected]
        for why, line in expected:
            if why:
                lines += comment(why)
            lines.append(line)
        return encode("\n".join(lines) + "\n")


def joined(findings):
    return ",".join(sorted(findings, key=lambda word: word.split(":"))) or "-"


def comment(text):
    """Wraps a comment by words."""
    line = "#"
    for word in text.split():
        if len(line) + 1 + len(word) > WIDTH and line != "#":
            yield line
            line = "#  "
        line += " " + word
    yield line


def encode(text):
    return text.encode("utf-8", "surrogateescape")


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".new", "wb") as file:
        file.write(data)
    os.replace(path + ".new", path)
