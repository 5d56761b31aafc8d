# SPDX-License-Identifier: Apache-2.0
"""
What an agent with a shell tries at the processes and files of the broker.  Run
as that agent's user, with facts as JSON in the first argument:

  pids    processes; without them each attempt gets one of its own
  db      a database, with its -wal beside it
  socket  a socket
  attach  a folder of the agent's own

It prints for each attempt what it gained: nothing, if it failed.  An attempt
that gains nothing anywhere would prove nothing: so the tests run each once more
on what is the agent's own, and there it has to succeed.
"""

import ctypes
import errno
import json
import os
import platform
import resource
import shutil
import signal
import socket
import sqlite3
import sys

libc = ctypes.CDLL(None, use_errno=True)
NUMBERS = {"x86_64": {"kcmp": 312, "move_pages": 279, "tkill": 200, "ioprio_set": 251},
           "aarch64": {"kcmp": 272, "move_pages": 239, "tkill": 130, "ioprio_set": 30}}
NUMBER = {**NUMBERS.get(platform.machine(), {}), "pidfd_getfd": 438}
PTRACE_ATTACH, PTRACE_DETACH, PTRACE_SEIZE = 16, 17, 0x4206

PROCESS, FILE = {}, {}


def process(name):
    def keep(f):
        PROCESS[name] = f
        return f
    return keep


def file(name):
    def keep(f):
        FILE[name] = f
        return f
    return keep


def called(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return f"returned {result}"


def syscall(name, *args):
    ctypes.set_errno(0)
    return called(libc.syscall(ctypes.c_long(NUMBER[name]), *(ctypes.c_long(a) for a in args)))


# -- processes

for leaf in "environ", "maps", "smaps", "auxv", "pagemap", "io", "mountstats", "syscall":
    @process(f"read /proc/P/{leaf}")
    def read_proc(pid, leaf=leaf):
        with open(f"/proc/{pid}/{leaf}", "rb") as f:
            return f"{len(f.read(64))} bytes"

for leaf in "cwd", "exe", "root", "fd/1", "ns/mnt":
    @process(f"follow /proc/P/{leaf}")
    def follow_proc(pid, leaf=leaf):
        return os.readlink(f"/proc/{pid}/{leaf}")

for leaf, text in (("oom_score_adj", "900"), ("coredump_filter", "0xff"),
                   ("clear_refs", "1")):
    @process(f"write /proc/P/{leaf}")
    def write_proc(pid, leaf=leaf, text=text):
        with open(f"/proc/{pid}/{leaf}", "w") as f:
            return f"{f.write(text)} bytes"


@process("list the descriptors of P")
def list_descriptors(pid):
    return " ".join(os.listdir(f"/proc/{pid}/fd"))


@process("open a descriptor of P by /proc")
def open_descriptor(pid):
    fd = os.open(f"/proc/{pid}/fd/1", os.O_WRONLY)
    os.close(fd)
    return "opened"


def heap(pid):
    """An address of P's, or one that is likely."""
    try:
        with open(f"/proc/{pid}/maps") as f:
            return next(int(l.split("-")[0], 16) for l in f if "rw-p" in l)
    except OSError:
        return 0x400000


@process("read the memory of P by /proc")
def read_memory(pid):
    with open(f"/proc/{pid}/mem", "rb", 0) as f:
        f.seek(heap(pid))
        return f"{len(f.read(16))} bytes"


@process("write the memory of P by /proc")
def write_memory(pid):
    at = heap(pid)
    with open(f"/proc/{pid}/mem", "r+b", 0) as f:
        f.seek(at)
        was = f.read(1)
        f.seek(at)
        return f"{f.write(was)} bytes"


class Iovec(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("n", ctypes.c_size_t)]


def vectors(pid):
    here = ctypes.create_string_buffer(16)
    return here, (ctypes.byref(Iovec(ctypes.addressof(here), 16)), ctypes.c_ulong(1),
                  ctypes.byref(Iovec(heap(pid), 16)), ctypes.c_ulong(1), ctypes.c_ulong(0))


@process("process_vm_readv")
def vm_read(pid):
    here, args = vectors(pid)
    return called(libc.process_vm_readv(pid, *args))


@process("process_vm_writev")
def vm_write(pid):
    here, args = vectors(pid)
    libc.process_vm_readv(pid, *args)
    return called(libc.process_vm_writev(pid, *args))


def traced(pid, how):
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]
    said = called(libc.ptrace(how, pid, None, None))
    if how == PTRACE_ATTACH:
        os.waitpid(pid, 0x40000000)
        libc.ptrace(PTRACE_DETACH, pid, None, None)
    return said


@process("ptrace: attach")
def ptrace_attach(pid):
    return traced(pid, PTRACE_ATTACH)


@process("ptrace: seize")
def ptrace_seize(pid):
    """In a child, which then goes: so the process is let go of too."""
    child = os.fork()
    if child == 0:
        try:
            traced(pid, PTRACE_SEIZE)
        except OSError as e:
            os._exit(e.errno)
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status != 0:
        raise OSError(status, "refused")
    return "seized"


@process("pidfd_getfd")
def take_descriptor(pid):
    return syscall("pidfd_getfd", os.pidfd_open(pid), 1, 0)


@process("kcmp")
def compare(pid):
    return syscall("kcmp", pid, pid, 0, 1, 2)


@process("move_pages")
def move_pages(pid):
    return syscall("move_pages", pid, 0, 0, 0, 0, 2)


@process("prlimit: a core of any size")
def prlimit_core(pid):
    low, high = resource.prlimit(pid, resource.RLIMIT_CORE)
    resource.prlimit(pid, resource.RLIMIT_CORE, (high, high))
    return "set"


@process("prlimit: no descriptor more")
def prlimit_files(pid):
    was = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (was[0], was[1]))
    return "set"


@process("tie it to a processor")
def affinity(pid):
    os.sched_setaffinity(pid, os.sched_getaffinity(0))
    return "set"


@process("make it idle")
def scheduler(pid):
    os.sched_setscheduler(pid, os.SCHED_BATCH, os.sched_param(0))
    return "set"


@process("make it slow")
def priority(pid):
    os.setpriority(os.PRIO_PROCESS, pid, 19)
    return "set"


@process("make its disk slow")
def io_priority(pid):
    return syscall("ioprio_set", 1, pid, 3 << 13)


for sig in signal.SIGCONT, signal.SIGSTOP:
    @process(f"kill: {sig.name}")
    def kill(pid, sig=sig):
        os.kill(pid, sig)
        return "sent"


@process("pidfd_send_signal")
def pidfd_signal(pid):
    signal.pidfd_send_signal(os.pidfd_open(pid), signal.SIGCONT)
    return "sent"


@process("tkill")
def thread_signal(pid):
    return syscall("tkill", pid, signal.SIGCONT)


@process("sigqueue")
def queue_signal(pid):
    return called(libc.sigqueue(pid, signal.SIGCONT, None))


# Each would leave a core, with all that is in the process.
for sig in signal.SIGABRT, signal.SIGSEGV, signal.SIGQUIT, signal.SIGBUS, signal.SIGILL, \
        signal.SIGTRAP, signal.SIGFPE, signal.SIGSYS, signal.SIGXCPU, signal.SIGTERM, \
        signal.SIGHUP, signal.SIGKILL:
    @process(f"end it by {sig.name}")
    def end(pid, sig=sig):
        os.kill(pid, sig)
        return "sent"


# -- files

for leaf in "", "-wal", "-shm":
    @file(f"read the database{leaf}")
    def read_store(f, leaf=leaf):
        with open(f["db"] + leaf, "rb") as at:
            return f"{len(at.read(16))} bytes"

    @file(f"write to the database{leaf}")
    def write_store(f, leaf=leaf):
        os.close(os.open(f["db"] + leaf, os.O_WRONLY))
        return "opened"


@file("ask the database by SQL")
def sql_store(f):
    try:
        with sqlite3.connect(f"file:{f['db']}?mode=ro&immutable=1", uri=True) as c:
            return str(c.execute("SELECT count(*) FROM sqlite_master").fetchone())
    except sqlite3.Error as e:
        raise OSError(errno.EACCES, str(e)) from e


@file("list the folder of the database")
def list_store(f):
    return " ".join(os.listdir(os.path.dirname(f["db"])))


@file("copy the database")
def copy_store(f):
    shutil.copyfile(f["db"], f["attach"] + "/copy.db")
    return "copied"


@file("link the database to a place of one's own")
def link_store(f):
    os.link(f["db"], f["attach"] + "/link.db")
    return "linked"


@file("look at the database by a link")
def symlink_store(f):
    at = f["attach"] + "/s.db"
    if not os.path.lexists(at):
        os.symlink(f["db"], at)
    with open(at, "rb") as s:
        return f"{len(s.read(16))} bytes"


@file("move the database")
def rename_store(f):
    os.rename(f["db"], f["db"] + ".old")
    os.rename(f["db"] + ".old", f["db"])
    return "moved"


@file("put a file beside the database")
def plant_journal(f):
    with open(f["db"] + "-journal", "w") as j:
        j.write("")
    return "made"


@file("give the database a mode")
def chmod_store(f):
    os.chmod(f["db"], 0o644)
    return "changed"


@file("give the folder of the database a mode")
def chmod_folder(f):
    os.chmod(os.path.dirname(f["db"]), 0o755)
    return "changed"


@file("set a time of the database")
def touch_store(f):
    os.utime(f["db"])
    return "set"


@file("watch the folder of the database")
def watch_store(f):
    fd = libc.inotify_init()
    return called(libc.inotify_add_watch(fd, os.path.dirname(f["db"]).encode(), 0xfff))


@file("remove the socket")
def unlink_socket(f):
    os.unlink(f["socket"])
    return "removed"


@file("listen where the socket was")
def bind_socket(f):
    s = socket.socket(socket.AF_UNIX)
    s.bind(f["socket"] + ".mine")
    os.rename(f["socket"] + ".mine", f["socket"])
    return "bound"


@file("give the socket a mode")
def chmod_socket(f):
    os.chmod(f["socket"], 0o600)
    os.chmod(f["socket"], 0o666)
    return "changed"


@file("move the folder of the socket")
def rename_run(f):
    at = os.path.dirname(f["socket"])
    os.rename(at, at + ".old")
    os.rename(at + ".old", at)
    return "moved"


def spare():
    """A process that waits, and that any other may trace."""
    ready, say = os.pipe()
    pid = os.fork()
    if pid == 0:
        libc.prctl(0x59616d61, ctypes.c_ulong(-1), 0, 0, 0)
        os.dup2(os.open("/dev/null", os.O_RDWR), 1)
        os.close(say)
        signal.pause()
        os._exit(0)
    os.close(say)
    os.read(ready, 1)
    os.close(ready)
    return pid


def tried(attempt, what):
    try:
        return attempt(what)
    except OSError:
        return ""


def main():
    facts = json.loads(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    gained = {}
    for name, attempt in PROCESS.items():
        pids = facts.get("pids") or [spare()]
        gained[name] = "".join(tried(attempt, pid) for pid in pids)
        if "pids" not in facts:
            signal.pidfd_send_signal(os.pidfd_open(pids[0]), signal.SIGKILL)
            os.waitpid(pids[0], 0)
    for name, attempt in FILE.items():
        gained[name] = tried(attempt, facts)
    json.dump(gained, sys.stdout)


if __name__ == "__main__":
    main()
