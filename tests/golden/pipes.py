# SPDX-License-Identifier: Apache-2.0
"""emcli skills filter and run: a conversation in each of the formats."""

import json

import doors

FORMATS = "openai", "responses", "anthropic"

# What the model asks for in one conversation, call by call.
EMCLI = [("list_skills", {}), ("list", {}), ("load_skill", {"skill": "mail"}), ("list", {}),
         ("get", {"uid": 1}), ("get", {"uid": 99}), ("get", "{"), ("bogus", {}),
         ("send", {"to": ["bob@lab.example"], "subject": "Lunch", "body": "At noon."}),
         ("send", {"to": ["x@evil.example"], "subject": "s", "body": "b"}),
         ("unload_skill", {"skill": "mail"}), ("list", {})]
NOVA = [("list_skills", {}), ("list_emails", {}), ("load_skill", {"skill": "x"}),
        ("load_skill", {"skill": "Mail"}), ("list_mailboxes", {}), ("list_emails", {}),
        ("read_email", {"message_id": "1"}), ("read_email", {"message_id": "99"}),
        ("list_email_attachments", {"message_id": "2"}),
        ("import_email_attachments", {"message_id": "2", "attachment_ids": "1"}),
        ("search_emails", {"query": "release"}), ("search_emails", {}),
        ("send_email", {"to": "bob@lab.example", "subject": "Lunch", "body": "At noon."}),
        ("send_email", {"to": "bob@lab.example", "subject": "Lunch", "body": "x",
                        "preview_only": True}),
        ("save_draft", {"to": "bob@lab.example", "subject": "Later", "body": "A draft."}),
        ("move_email_to_folder", {"message_id": "1", "target_folder": "x"}),
        ("mark_email_as_read", {"message_id": "1"}), ("mark_email_as_unread", {"message_id": "1"}),
        ("delete_email", {"message_id": "1"}), ("get_server_capabilities", {})]


def asked(form, call, name, arguments):
    """The model's message with one call."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    if form == "openai":
        return {"role": "assistant", "content": None, "tool_calls": [
            {"id": call, "type": "function", "function": {"name": name, "arguments": text}}]}
    if form == "responses":
        return {"type": "function_call", "call_id": call, "name": name, "arguments": text}
    given = {} if isinstance(arguments, str) else arguments
    return {"role": "assistant", "content": [
        {"type": "tool_use", "id": call, "name": name, "input": given}]}


def conversation(form, calls, *options, grant=True):
    def scene(w):
        doors.furnish(w)
        if grant:
            w.run("operator", ["config", "set", "skills", "grant"])
        key = "input" if form == "responses" else "messages"
        items = [{"role": "user", "content": "Look at my mail."}]

        def pipe(verb, *more):
            # The last message is shown, for the ones before it were.
            text = json.dumps({"model": "m", "temperature": 0.7, key: items},
                              separators=(",", ":"))
            w.say(w.fixed(f"> {json.dumps(items[-1])}\n"))
            return w.run("agent", ["skills", verb, "--format", form, *options, *more],
                         text.encode(), told=False).stdout
        pipe("filter")
        pipe("run")
        for n, (name, arguments) in enumerate(calls):
            items.append(asked(form, f"c{n}", name, arguments))
            try:
                items.extend(json.loads(pipe("run")))
            except ValueError:
                items.pop()
            if name == "load_skill":
                pipe("filter")
        items.append({"role": "assistant", "content": "Done."})
        items.append({"role": "user", "content": "And now?"})
        pipe("filter")
        if form != "anthropic":
            pipe("filter", "--choice", "allowed")
        w.run("operator", ["audit", "list", "--json"])
    return scene


def scenes():
    for form in FORMATS:
        yield f"pipes/{form}", conversation(form, EMCLI), True
        yield f"pipes/nova-{form}", conversation(
            form, NOVA, "--profile", "nova", "--conversation", "k"), True
    yield "pipes/always", conversation("openai", EMCLI, grant=False), True
    yield "pipes/turn", conversation("openai", EMCLI, "--conversation", "k", "--turn", "t"), True
    yield "pipes/selector", conversation("openai", EMCLI, "--selector-always"), True
