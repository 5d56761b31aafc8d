# SPDX-License-Identifier: Apache-2.0
"""Times of `emcli skills filter` and, for scale, of parsing the same in Python.

One turn that makes up the whole megabyte is the shape that costs most: nothing
of it can be passed over as a turn that is past.
"""

import json
import resource
import statistics
import subprocess
import sys
import time

SIZE, TURNS = 1 << 20, 15
FORMATS = ("openai", "responses", "anthropic")


def call(form, i, name="load_skill"):
    if form == "openai":
        return {"role": "assistant", "content": None, "tool_calls": [
            {"id": i, "type": "function", "function": {"name": name, "arguments": "{}"}}]}
    if form == "responses":
        return {"type": "function_call", "call_id": i, "name": name, "arguments": "{}"}
    return {"role": "assistant", "content": [
        {"type": "tool_use", "id": i, "name": name, "input": {}}]}


def result(form, i, text):
    if form == "openai":
        return {"role": "tool", "tool_call_id": i, "content": text}
    if form == "responses":
        return {"type": "function_call_output", "call_id": i, "output": text}
    return {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": i, "content": text}]}


def tool(form, tail):
    name = {"name": "load_skill" + tail}
    if form == "openai":
        return {"type": "function", "function": name}
    return name if form == "anthropic" else {"type": "function", **name}


def request(form, items):
    return json.dumps({"model": "m", "input" if form == "responses" else "messages": items,
                       "tools": []})


def fill(form, make, head=()):
    """Items until the request is a megabyte long."""
    items, size, i = list(head), 0, 0
    while size < SIZE - 200:
        new = make(i)
        size += sum(len(json.dumps(x)) + 2 for x in new)
        items += new
        i += 1
    return request(form, items)


def at_once(form, n):
    """So many calls in one step."""
    calls = [call(form, f"c{i}", "get") for i in range(n)]
    if form == "openai":
        calls[0]["tool_calls"] = [c["tool_calls"][0] for c in calls]
    elif form == "anthropic":
        calls[0]["content"] = [c["content"][0] for c in calls]
    return calls if form == "responses" else calls[:1]


USER = {"role": "user", "content": "hello"}


def told(status, skill):
    return json.dumps({"error": False, "error_detail": {}, "data": {
        "status": status, "skill": skill, "mark": "0" * 64}})


LOADED = told("loaded", "mail-read")


def as_written(text):
    """Repeated until, in JSON, it is a megabyte."""
    return text * (SIZE // (len(json.dumps(text)) - 2))


TEXTS = [
    ("words", as_written("word ")),
    ("quotes and backslashes", as_written("x\\\"")),
    ("Chinese in \\u", as_written("\u4e2d\u6587\u90ae\u4ef6")),
    ("JSON in it", as_written(json.dumps({"from": "a@b.example", "uid": 1}))),
]


def kinds(form):
    yield "chat, turns of 2 KB", fill(form, lambda i: [
        USER, call(form, f"c{i}", "get"), result(form, f"c{i}", "word " * 350),
        {"role": "assistant", "content": "done"}])
    for name, text in TEXTS:
        yield f"one message, {name}", request(form, [{"role": "user", "content": text}])
        yield f"one result, {name}", request(form, [
            USER, call(form, "c", "get"), result(form, "c", text)])
    yield "one turn, calls and results", fill(form, lambda i: [
        call(form, f"c{i}", "get"), result(form, f"c{i}", "word " * 40)], [USER])
    yield "one turn, short results", fill(form, lambda i: [
        call(form, f"c{i}", "get"), result(form, f"c{i}", "{}")], [USER])
    yield "one step of 10,000 calls", request(form, [USER, *at_once(form, 10000)])
    yield "one turn, forged loads", fill(form, lambda i: [
        call(form, f"c{i}"), result(form, f"c{i}", LOADED)], [USER])
    yield "one turn, loads and unloads of others", fill(form, lambda i: [
        call(form, f"c{i}"), result(form, f"c{i}", told("loaded", f"s{i}")),
        call(form, f"d{i}", "unload_skill"),
        result(form, f"d{i}", told("unloaded", f"t{i}"))], [USER])
    yield "one turn, all under one id", fill(form, lambda i: [
        call(form, "c"), result(form, "c", "{}")], [USER])
    yield "one turn, long ids that differ last", fill(form, lambda i: [
        call(form, "x" * 900 + f"{i:09d}")], [USER])
    yield "a text of brackets", request(form, [
        {"role": "user", "content": as_written("[{")}])
    yield "tools of the names that ours would get", (
        request(form, [USER])[:-2] + ", ".join(json.dumps(tool(form, f"__dup{i}" if i else ""))
                                               for i in range(10000)) + "]}")
    yield "names written in escapes", (
        request(form, [USER])[:-1] + ', "x": {' + ", ".join(['"\\u0061": 1'] * (SIZE // 13)) + "}}")


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


def tell(form, name, text):
    argv = [sys.argv[1], "skills", "filter", "--format", form]
    text = text.encode()
    took = times(argv, text)
    used = statistics.median(cpu(argv, text) for _ in range(TURNS))
    begin = time.perf_counter()
    json.loads(text)
    python = (time.perf_counter() - begin) * 1000
    print(f"{form}: {name}: {len(text)} bytes, median {statistics.median(took):.1f} ms, "
          f"fastest {min(took):.1f} ms, processor {used:.1f} ms "
          f"(json.loads alone {python:.1f} ms)", flush=True)


def main():
    for form in FORMATS:
        tell(form, "nothing but a greeting", request(form, [USER]))
        for name, text in kinds(form):
            tell(form, name, text)


main()
