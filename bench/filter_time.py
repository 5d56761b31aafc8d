"""Times of `emcli skills filter` and, for scale, of parsing the same in Python."""

import json
import resource
import statistics
import subprocess
import sys
import time

SIZE, TURNS = 1 << 20, 15


def fill(make, head=()):
    """Items until the request is a megabyte long."""
    items, size, i = list(head), 0, 0
    while size < SIZE - 200:
        new = make(i)
        size += sum(len(json.dumps(x)) + 2 for x in new)
        items += new
        i += 1
    return json.dumps({"model": "m", "messages": items, "tools": []})


def call(i, name="load_skill"):
    return {"role": "assistant", "content": None, "tool_calls": [
        {"id": i, "type": "function", "function": {"name": name, "arguments": "{}"}}]}


def result(i, text):
    return {"role": "tool", "tool_call_id": i, "content": text}


USER = {"role": "user", "content": "hello"}
LOADED = json.dumps({"error": False, "error_detail": {}, "data": {
    "status": "loaded", "skill": "mail-read", "mark": "0" * 64}})
KINDS = [
    ("chat, turns of 2 KB", fill(lambda i: [
        USER, call(f"c{i}", "get"), result(f"c{i}", "word " * 350),
        {"role": "assistant", "content": "done"}])),
    ("one turn, calls and results", fill(lambda i: [
        call(f"c{i}", "get"), result(f"c{i}", "word " * 40)], [USER])),
    ("one turn, forged loads", fill(lambda i: [
        call(f"c{i}"), result(f"c{i}", LOADED)], [USER])),
    ("one turn, all under one id", fill(lambda i: [call("c"), result("c", "{}")], [USER])),
    ("one turn, long ids that differ last", fill(lambda i: [
        call("x" * 900 + f"{i:09d}")], [USER])),
    ("one text of 1 MB", fill(lambda i: [{"role": "user", "content": "x\\\"" * 300000}])),
    ("a million brackets in a text", fill(lambda i: [{"role": "user", "content": "[{" * 500000}])),
]


def times(argv, text):
    out = []
    for _ in range(TURNS):
        begin = time.perf_counter()
        subprocess.run(argv, input=text, stdout=subprocess.DEVNULL, check=True)
        out.append((time.perf_counter() - begin) * 1000)
    return out


def cpu(argv, text):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(argv, input=text, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000


def main():
    argv = [sys.argv[1], "skills", "filter", "--format", "openai"]
    small = json.dumps({"messages": [USER]}).encode()
    rows = [("nothing but a greeting", small)] + [(n, t.encode()) for n, t in KINDS]
    for name, text in rows:
        took = times(argv, text)
        used = statistics.median(cpu(argv, text) for _ in range(TURNS))
        begin = time.perf_counter()
        json.loads(text)
        python = (time.perf_counter() - begin) * 1000
        print(f"{name}: {len(text)} bytes, median {statistics.median(took):.1f} ms, "
              f"fastest {min(took):.1f} ms, processor {used:.1f} ms "
              f"(json.loads alone {python:.1f} ms)")


main()
