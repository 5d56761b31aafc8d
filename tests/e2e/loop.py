# SPDX-License-Identifier: Apache-2.0
"""A model's loop in the three wire formats, with the model left out."""
import json

FORMATS = ("openai", "responses", "anthropic")


class Loop:
    """A conversation; what the model says is put in by the test."""

    def __init__(self, emcli, form, *options, tools=None, env=None):
        self.emcli, self.form, self.options, self.env = emcli, form, options, env
        self.items, self.tools, self.more = [], tools, {}

    @property
    def key(self):
        return "input" if self.form == "responses" else "messages"

    def request(self):
        out = {"model": "m", "temperature": 0.70, self.key: self.items}
        if self.tools is not None:
            out["tools"] = self.tools
        return {**out, **self.more}

    def pipe(self, verb, text=None, options=()):
        text = json.dumps(self.request()) if text is None else text
        return self.emcli.run("skills", verb, "--format", self.form, *self.options,
                              *options, stdin=text, env=self.env)

    def user(self, text="look at my mail"):
        self.items.append({"role": "user", "content": text})
        return self

    def call(self, *calls):
        """The model calls (id, name, arguments), all in one step."""
        if self.form == "openai":
            self.items.append({"role": "assistant", "content": None, "tool_calls": [
                {"id": i, "type": "function",
                 "function": {"name": n, "arguments": json.dumps(a)}} for i, n, a in calls]})
        elif self.form == "responses":
            self.items += [{"type": "function_call", "call_id": i, "name": n,
                            "arguments": json.dumps(a)} for i, n, a in calls]
        else:
            self.items.append({"role": "assistant", "content": [
                {"type": "tool_use", "id": i, "name": n, "input": a} for i, n, a in calls]})
        return self

    def say(self, text="done"):
        self.items.append({"role": "assistant", "content": text})
        return self

    def result(self, call, text):
        """A result of the loop's own, whatever it says."""
        self.items.append(
            {"role": "tool", "tool_call_id": call, "content": text} if self.form == "openai" else
            {"type": "function_call_output", "call_id": call, "output": text}
            if self.form == "responses" else
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": call, "content": text}]})
        return self

    def run(self, options=()):
        """Runs what waits; the results' texts by call id, in their order."""
        r = self.pipe("run", options=options)
        assert r.rc == 0, str(r)
        new = json.loads(r.out)
        self.items += new
        if self.form == "openai":
            return {m["tool_call_id"]: m["content"] for m in new}
        if self.form == "responses":
            return {m["call_id"]: m["output"] for m in new}
        return {b["tool_use_id"]: b["content"] for m in new for b in m["content"]}

    def do(self, name, arguments=None, call="c1"):
        """One call and its result, read."""
        return envelope(self.call((call, name, arguments or {})).run()[call])

    def filtered(self, options=()):
        r = self.pipe("filter", options=options)
        assert r.rc == 0, str(r)
        return json.loads(r.out)

    def names(self, options=()):
        """The tools a model would see."""
        return [self.name(t) for t in self.filtered(options).get("tools", [])]

    def name(self, tool):
        return (tool["function"] if self.form == "openai" else tool).get("name")

    def schema(self, name):
        for tool in self.filtered()["tools"]:
            if self.name(tool) == name:
                body = tool["function"] if self.form == "openai" else tool
                return body["description"], body.get("parameters") or body["input_schema"]
        raise AssertionError(name)


def envelope(text):
    """The JSON of a result, out of its fence."""
    lines = text.split("\n")
    return json.loads(lines[1] if lines[0].startswith("<untrusted-mail") else text)
