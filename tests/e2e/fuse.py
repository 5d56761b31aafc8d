# SPDX-License-Identifier: Apache-2.0
"""
A filesystem of the caller's own that tells what it is and answers no more.

Run as root of a user namespace, with a device of FUSE's, a folder to mount it
on, a socket and a frame (in hexadecimal): it opens the one file there, sends
the frame with that descriptor, and prints what comes back.  It ends when its
standard input does.
"""

import array
import ctypes
import os
import socket
import struct
import sys

LOOKUP, GETATTR, OPEN, INIT = 1, 3, 14, 26
OUT = struct.Struct("<IiQ")  # fuse_out_header: length, error, which request
NODE = 2


def attributes(node, mode):
    """struct fuse_attr"""
    return struct.pack("<6Q10I", node, 5, 1, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)


def answer(op, node):
    root, entry = attributes(1, 0o40755), attributes(NODE, 0o100644)
    valid = struct.pack("<QI4x", 3600, 0)
    return {INIT: struct.pack("<4I2H2I2H8I", 7, 31, 0, 0, 0, 0, 4096, 1, 0, 0, *[0] * 8),
            LOOKUP: struct.pack("<4Q2I", NODE, 0, 3600, 3600, 0, 0) + entry,
            GETATTR: valid + (root if node == 1 else entry),
            OPEN: struct.pack("<Q2I", 1, 0, 0)}.get(op)


def served(dev, said):
    """Answers until the file is open; what is asked later waits."""
    while True:
        request = os.read(dev, 1 << 17)
        _, op, unique, node = struct.unpack_from("<IIQQ", request)
        body = answer(op, node)
        said.add(op)
        if body is None:
            continue
        os.write(dev, OUT.pack(OUT.size + len(body), 0, unique) + body)
        if op == OPEN:
            return


def main():
    device, at, to, raw = sys.argv[1:]
    dev = os.open(device, os.O_RDWR)
    how = f"fd={dev},rootmode=40000,user_id=0,group_id=0".encode()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(b"none", os.fsencode(at), b"fuse", 0, how) < 0:
        sys.exit(os.strerror(ctypes.get_errno()))
    client = os.fork()
    if client == 0:
        os.close(dev)
        fd = os.open(at + "/f", os.O_RDONLY)
        s = socket.socket(socket.AF_UNIX)
        s.connect(to)
        s.sendmsg([bytes.fromhex(raw)], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [fd]))])
        while part := s.recv(65536):
            os.write(1, part)
        os._exit(0)
    served(dev, set())
    sys.stdin.read()


if __name__ == "__main__":
    main()
