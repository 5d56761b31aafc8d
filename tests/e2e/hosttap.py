#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""hosttap.py LOG CMD ARGS...: stands between a host and the server it starts and
writes down, a line each, when which side said what."""

import json
import subprocess
import sys
import threading
import time

log, argv = open(sys.argv[1], "a", buffering=1), sys.argv[2:]
child = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def carry(side, source, sink):
    for line in source:
        log.write(json.dumps([round(time.time(), 3), side, line.decode(errors="replace")]) + "\n")
        try:
            sink.write(line)
            sink.flush()
        except OSError:
            break
    try:
        sink.close()
    except OSError:
        pass


threading.Thread(target=carry, args=("host", sys.stdin.buffer, child.stdin), daemon=True).start()
carry("emcli", child.stdout, sys.stdout.buffer)
sys.exit(child.wait())
