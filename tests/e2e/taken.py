# SPDX-License-Identifier: Apache-2.0
"""
A process that was taken over: whoever has its memory has it make the system
calls of his choice.  As root, by ptrace(2), which the kernel refuses to others.

    with Taken(pid) as it:
        it.call("openat", -100, b"/etc/passwd", 0)    a number, or -errno
        it.call("execve", b"/bin/true", 0, 0)         DIED: by SIGSYS
"""

import ctypes
import os
import platform
import signal
import struct
import time

DIED = "died"
SEIZE, INTERRUPT, CONT, SINGLESTEP, GETREGSET, SETREGSET, DETACH = \
    0x4206, 0x4207, 7, 9, 0x4204, 0x4205, 17
NT_PRSTATUS = 1

X86 = {"openat": 257, "socket": 41, "execve": 59, "ptrace": 101, "unshare": 272, "mount": 165,
       "setns": 308, "process_vm_readv": 310, "pidfd_getfd": 438, "bpf": 321, "kill": 62,
       "mkdirat": 258, "io_uring_setup": 425, "getpid": 39, "keyctl": 250, "connect": 42,
       "bind": 49, "listen": 50, "setresuid": 117, "clone": 56, "sendto": 44, "recvfrom": 45}
ARM = {"openat": 56, "socket": 198, "execve": 221, "ptrace": 117, "unshare": 97, "mount": 40,
       "setns": 268, "process_vm_readv": 270, "pidfd_getfd": 438, "bpf": 280, "kill": 129,
       "mkdirat": 34, "io_uring_setup": 425, "getpid": 172, "keyctl": 219, "connect": 203,
       "bind": 200, "listen": 201, "setresuid": 147, "clone": 220, "sendto": 206, "recvfrom": 207}

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
libc.ptrace.restype = ctypes.c_long


class Iovec(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("len", ctypes.c_size_t)]


class X86Registers:
    """The order of struct user_regs_struct."""
    numbers, insn = X86, b"\x0f\x05"
    arguments, result, number, pc, sp, size = (14, 13, 12, 7, 9, 8), 10, 10, 16, 19, 27

    @staticmethod
    def prepare(regs):
        regs[15] = 2**64 - 1  # orig_rax: nothing is to be restarted


class ArmRegisters:
    """The order of struct user_pt_regs."""
    numbers, insn = ARM, b"\x01\x00\x00\xd4"
    arguments, result, number, pc, sp, size = (0, 1, 2, 3, 4, 5), 0, 8, 32, 31, 34

    @staticmethod
    def prepare(regs):
        pass


MACHINE = {"x86_64": X86Registers, "aarch64": ArmRegisters}[platform.machine()]


class Taken:
    def __init__(self, pid):
        self.pid, self.gone = pid, False

    def ptrace(self, request, addr=0, data=0):
        ctypes.set_errno(0)
        if libc.ptrace(request, self.pid, addr, data) < 0:
            raise OSError(ctypes.get_errno(), f"ptrace {request}")

    def registers(self, request, regs=None):
        buf = ctypes.create_string_buffer(8 * MACHINE.size)
        if regs:
            buf.raw = struct.pack(f"<{MACHINE.size}Q", *regs)
        iov = Iovec(ctypes.addressof(buf), len(buf))
        self.ptrace(request, NT_PRSTATUS, ctypes.addressof(iov))
        return list(struct.unpack(f"<{MACHINE.size}Q", buf.raw))

    def __enter__(self):
        self.ptrace(SEIZE)
        while True:
            self.ptrace(INTERRUPT)
            _, status = os.waitpid(self.pid, 0)
            self.before = self.registers(GETREGSET)
            if self.is_at_call():
                return self
            # On a busy machine it may not have come to where it waits.
            self.ptrace(CONT, 0, 0 if status >> 16 else os.WSTOPSIG(status))
            time.sleep(0.01)

    def is_at_call(self):
        """Before a system call or behind one, where it can be had to make others."""
        pc, n = self.before[MACHINE.pc], len(MACHINE.insn)
        with open(f"/proc/{self.pid}/mem", "rb", buffering=0) as memory:
            memory.seek(pc - n)
            return MACHINE.insn in (memory.read(n), memory.read(n))

    def __exit__(self, *why):
        """It waited for something when it was stopped, and cannot go on."""
        if not self.gone:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)

    def answer(self, fd, n):
        """So many bytes of a message on that socket of its own."""
        assert self.call("recvfrom", fd, bytes(n), n, 0, 0, 0) == n
        with open(f"/proc/{self.pid}/mem", "rb", buffering=0) as memory:
            memory.seek(self.before[MACHINE.sp] - 8192)
            return memory.read(n)

    def call(self, name, *args):
        regs = list(self.before)
        with open(f"/proc/{self.pid}/mem", "r+b", buffering=0) as memory:
            memory.seek(regs[MACHINE.pc])
            if memory.read(len(MACHINE.insn)) != MACHINE.insn:
                regs[MACHINE.pc] -= len(MACHINE.insn)
            at = regs[MACHINE.sp] - 8192
            for place, value in zip(MACHINE.arguments, args):
                if isinstance(value, bytes):
                    memory.seek(at)
                    memory.write(value + b"\0")
                    value, at = at, at + len(value) + 1
                regs[place] = value % 2**64
        regs[MACHINE.number] = MACHINE.numbers[name]
        MACHINE.prepare(regs)
        self.registers(SETREGSET, regs)
        self.ptrace(SINGLESTEP)
        _, status = os.waitpid(self.pid, 0)
        if not os.WIFSTOPPED(status):
            self.gone = True
            return DIED if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGSYS \
                else f"ended: {status}"
        (result,) = struct.unpack("<q", struct.pack(
            "<Q", self.registers(GETREGSET)[MACHINE.result]))
        return result
