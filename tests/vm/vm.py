# SPDX-License-Identifier: MIT
"""One QEMU: starts it over three socket pairs (console, channel, QMP) so that no path is shared
with anybody, adds and removes disks, and ends it whatever happens. Nothing here knows what the
guest does with the machine."""

import ctypes
import json
import os
import pathlib
import select
import signal
import socket
import subprocess
import tempfile
import threading
import time

import machines
from common import find_program, need

QEMU = "qemu-system-x86_64"
PR_SET_PDEATHSIG = 1


class QmpError(Exception):
    pass


class Lines:
    """Lines of a socket, with a deadline."""

    def __init__(self, sock):
        self.sock = sock
        self.buffer = b""

    def next(self, deadline):
        """A line without its end; None at the end of the stream; TimeoutError when late."""
        while b"\n" not in self.buffer:
            wait = max(0, deadline - time.monotonic())
            if not select.select([self.sock], [], [], wait)[0]:
                raise TimeoutError
            data = self.receive()
            if not data:
                return None
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\n", 1)
        return line.decode("utf-8", "replace").rstrip("\r")

    def receive(self):
        try:
            return self.sock.recv(65536)
        except ConnectionError:
            return b""


class Qmp:
    def __init__(self, sock):
        self.sock = sock
        self.lines = Lines(sock)
        self.events = []

    def message(self, deadline):
        line = self.lines.next(deadline)
        if line is None:
            raise QmpError("QEMU is gone")
        return json.loads(line)

    def hello(self, seconds=30):
        self.message(time.monotonic() + seconds)
        self.command("qmp_capabilities")

    def command(self, name, **arguments):
        return self.execute({"execute": name, "arguments": arguments})

    def execute(self, request, seconds=30):
        self.sock.sendall(json.dumps(request).encode() + b"\n")
        deadline = time.monotonic() + seconds
        while True:
            message = self.message(deadline)
            if "event" in message:
                self.events.append(message)
            elif "error" in message:
                raise QmpError(message["error"]["desc"])
            else:
                return message["return"]

    def wait_deleted(self, device, seconds):
        deadline = time.monotonic() + seconds
        while True:
            for event in self.events:
                if (event["event"] == "DEVICE_DELETED"
                        and event["data"].get("device") == device):
                    self.events.remove(event)
                    return
            message = self.message(deadline)
            if "event" in message:
                self.events.append(message)


def kvm_works():
    """Whether KVM runs code at the speed of a CPU: a /dev/kvm may open, yet interpret its guests
    so slowly that none ever boots. The probe is a firmware that counts down from 64 million and
    makes QEMU exit with a status of our own."""
    if not os.access("/dev/kvm", os.R_OK | os.W_OK):
        return False
    status = 0x2a
    code = bytes((0x66, 0xb9, 0x00, 0x00, 0x00, 0x04,  # mov ecx, 0x4000000
                  0x66, 0x49, 0x75, 0xfc,              # dec ecx; jnz back to it
                  0xba, 0x01, 0x05, 0xb0, status, 0xee, 0xf4))  # out 0x501, status; hlt
    start, reset_vector = 0xff00, 0xfff0
    image = bytearray(b"\xf4" * 0x10000)
    image[start:start + len(code)] = code
    image[reset_vector:reset_vector + 3] = bytes((0xe9, 0x0d, 0xff))  # jmp start
    with tempfile.NamedTemporaryFile(prefix="blkadvise-probe.") as firmware:
        firmware.write(image)
        firmware.flush()
        probe = [find_program(QEMU), "-accel", "kvm", "-machine", "pc", "-display", "none",
                 "-nodefaults", "-no-user-config", "-bios", firmware.name,
                 "-device", "isa-debug-exit,iobase=0x501,iosize=1"]
        try:
            return subprocess.run(probe, stdin=subprocess.DEVNULL, capture_output=True,
                                  timeout=2).returncode == (status << 1) | 1
        except subprocess.TimeoutExpired:
            return False


def usable_accelerator():
    wanted = os.environ.get("BLKADVISE_VM_ACCEL")
    if wanted:
        return wanted
    return "kvm" if kvm_works() else "tcg,thread=multi"


def die_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def fields(device):
    """`nvme,id=x,serial=y` as the arguments of QMP's device_add."""
    driver, *rest = device.split(",")
    pairs = (item.split("=", 1) for item in rest)
    return {"driver": driver, **dict(pairs)}


class Vm:
    """A context manager: QEMU runs inside it and is gone, with its images, afterwards."""

    def __init__(self, machine, folder, log, kernel, initrd, append, root_image=None):
        need(QEMU)
        self.machine = machine
        self.folder = pathlib.Path(folder)
        self.log = log
        self.log_lock = threading.Lock()
        self.arguments = self.command_line(kernel, initrd, append, root_image)
        self.plugged = {}
        self.process = None

    def image(self, name, size=machines.IMAGE_SIZE):
        path = self.folder / f"{name}.img"
        units = {"K": 10, "M": 20, "G": 30}
        with open(path, "xb") as file:
            file.truncate(int(size[:-1]) << units[size[-1]])
        return path

    def command_line(self, kernel, initrd, append, root_image):
        arguments = [find_program(QEMU), "-accel", usable_accelerator(), "-machine", "pc",
                     "-smp", "2", "-m", self.machine.memory, "-display", "none", "-nodefaults",
                     "-no-user-config", "-no-reboot", "-kernel", str(kernel),
                     "-initrd", str(initrd), "-append", append, *self.machine.options]
        devices = list(self.machine.devices)
        nodes = {}
        if root_image:
            nodes["VMROOT"] = root_image
            devices.append("virtio-blk-pci,drive=VMROOT,serial=VMROOT")
        for disk in self.machine.disks:
            node = f"disk-{disk.name}"
            nodes[node] = self.image(node, disk.size)
            devices += [d.replace("{disk}", node) for d in disk.devices]
        for name, path in nodes.items():
            arguments += ["-blockdev", json.dumps(blockdev(name, path))]
        for device in devices:
            arguments += ["-device", device]
        return arguments

    def __enter__(self):
        pairs = {name: socket.socketpair() for name in ("console", "channel", "qmp")}
        arguments = list(self.arguments)
        for name, (_, theirs) in pairs.items():
            arguments += ["-chardev", f"socket,id={name},fd={theirs.fileno()}"]
        arguments += ["-serial", "chardev:console", "-serial", "chardev:channel",
                      "-mon", "chardev=qmp,mode=control"]
        self.write_log("host: " + " ".join(arguments))
        try:
            self.process = subprocess.Popen(
                arguments, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
                pass_fds=[theirs.fileno() for _, theirs in pairs.values()],
                preexec_fn=die_with_parent)
        finally:
            for _, theirs in pairs.values():
                theirs.close()
        self.sockets = [ours for ours, _ in pairs.values()]
        self.channel = pairs["channel"][0]
        self.qmp = Qmp(pairs["qmp"][0])
        self.console = threading.Thread(target=self.follow_console, args=[pairs["console"][0]])
        self.console.start()
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.console.join(10)
        for sock in self.sockets:
            sock.close()

    def follow_console(self, sock):
        lines = Lines(sock)
        while True:
            line = lines.next(time.monotonic() + 1e6)
            if line is None:
                break
            self.write_log(line)
        if lines.buffer:
            self.write_log(lines.buffer.decode("utf-8", "replace"))

    def write_log(self, line):
        with self.log_lock:
            self.log.write(line.encode("utf-8", "replace") + b"\n")
            self.log.flush()

    def wait_exit(self, seconds):
        try:
            self.process.wait(seconds)
            return True
        except subprocess.TimeoutExpired:
            return False

    # What a guest may ask of the host; answers are for people, errors are exceptions.

    def ask(self, words):
        verbs = {"plug": self.plug, "unplug": self.unplug, "qmp": self.raw_qmp, "hmp": self.hmp}
        verb, *rest = words.split()
        if verb not in verbs:
            raise QmpError(f"no command {verb}")
        return verbs[verb](*rest)

    def plug(self, kind, name, *properties):
        if kind not in machines.HOTPLUG:
            raise QmpError(f"no kind {kind}")
        if name in self.plugged:
            raise QmpError(f"{name} is plugged")
        node = f"plug-{name}"
        path = self.image(node)
        self.qmp.command("blockdev-add", **blockdev(node, path))
        self.plugged[name] = path
        *first, last = machines.HOTPLUG[kind]
        for device in (*first, ",".join([last, *properties])):
            self.qmp.command("device_add", **fields(device.format(id=name, disk=node)))
        if kind in machines.ATTACHED_LATE:
            self.qmp.command("qom-set", path=f"/machine/peripheral/{name}",
                             property="attached", value=True)
        return name

    def unplug(self, name, seconds="60"):
        self.qmp.command("device_del", id=name)
        self.qmp.wait_deleted(name, int(seconds))
        if name in self.plugged:
            self.qmp.command("blockdev-del", **{"node-name": f"plug-{name}"})
            self.plugged.pop(name).unlink()
        return name

    def raw_qmp(self, *words):
        return json.dumps(self.qmp.execute(json.loads(" ".join(words))))

    def hmp(self, *words):
        reply = self.qmp.command("human-monitor-command", **{"command-line": " ".join(words)})
        return reply.replace("\r\n", " ").strip()


def blockdev(name, path):
    return {"driver": "raw", "node-name": name, "discard": "unmap",
            "file": {"driver": "file", "filename": str(path), "discard": "unmap"}}
