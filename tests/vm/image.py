# SPDX-License-Identifier: MIT
"""The root folder of a guest while it is put together, and the options that say what goes in:
shared by the programs that make an initramfs and a whole Debian."""

import argparse
import os
import pathlib
import re
import shutil
import subprocess

from common import HERE

MERGED = ("bin", "sbin", "lib", "lib64")


class Image:
    """A folder that becomes the root of a guest; paths in it are absolute and usr-merged.
    `tree` is the program under test: it is where libraries are looked for first."""

    def __init__(self, root, tree=None):
        self.root = root
        folders = {file.parent for file in tree.rglob("*.so*")} if tree else ()
        self.library_path = sorted(str(f) for f in folders)
        for name in MERGED:
            (root / "usr" / name).mkdir(parents=True, exist_ok=True)
            self.link(f"/{name}", f"usr/{name}")

    def place(self, path):
        target = self.root / str(path).lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        return target

    def add(self, source, path):
        target = self.place(path)
        target.unlink(missing_ok=True)
        shutil.copy(source, target)
        self.add_libraries(source)

    def add_libraries(self, source):
        with open(source, "rb") as file:
            if file.read(4) != b"\x7fELF":
                return
        environment = dict(os.environ, LD_LIBRARY_PATH=":".join(self.library_path))
        ldd = subprocess.run(["ldd", source], env=environment, text=True, capture_output=True)
        for library in re.findall(r"(/\S+) \(0x", ldd.stdout):
            ours = any(library.startswith(p + "/") for p in self.library_path)
            if not ours and not self.place(library).exists():
                shutil.copy(library, self.place(library))
        if "not found" in ldd.stdout:
            raise RuntimeError(f"{source} needs a library that is not here:\n{ldd.stdout}")

    def link(self, path, target):
        if not os.path.lexists(self.place(path)):
            self.place(path).symlink_to(target)

    def add_tree(self, tree, prefix=""):
        """Copies a folder file by file, since the guest's /lib and the like are links."""
        for source in sorted(tree.rglob("*")):
            path = f"{prefix}/{source.relative_to(tree)}"
            if source.is_symlink():
                self.place(path).unlink(missing_ok=True)
                self.place(path).symlink_to(os.readlink(source))
            elif source.is_dir():
                self.place(path).mkdir(parents=True, exist_ok=True)
            else:
                self.add(source, path)

    def add_all(self, tree, scenarios, additions):
        """The harness, the scenarios, the program under test and what the caller adds."""
        self.add_tree(HERE / "guest", "/vm")
        for scenario in scenarios:
            self.add(scenario, f"/scenarios/{scenario.name}")
        if tree:
            self.add_tree(tree)
        for source, path in additions:
            if source.is_dir():
                self.add_tree(source, path)
            else:
                self.add(source, path)


def addition(text):
    source, _, path = text.rpartition(":")
    if not source or not path.startswith("/"):
        raise argparse.ArgumentTypeError(f"{text}: SRC:/DEST expected")
    if not os.path.exists(source):
        raise argparse.ArgumentTypeError(f"no file {source}")
    return pathlib.Path(source), path


def add_arguments(parser):
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--tree", type=pathlib.Path, help="a DESTDIR of the program under test")
    parser.add_argument("--scenario", type=pathlib.Path, action="append", default=[])
    parser.add_argument("--add", type=addition, action="append", default=[], metavar="SRC:DEST")
