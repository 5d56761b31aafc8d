# SPDX-License-Identifier: Apache-2.0
"""A mail server that is managed as Stalwart is, and speaks JMAP for each account.

    s = Stalwartd("0.16")       or "0.15", or None: no management at all
        s.url                   what --mailbox-stalwart-base-url takes
        s.accounts              address -> Account: password, box (a jmapd.Jmapd)
        s.domains, s.log        [(method, path, who)]
        s.wrong                 what it refused because its descriptions do not have it
        s.before(name, f)       f() runs before that change; what it raises is an error 500

It is no Stalwart, and none was at hand: it does what the published descriptions say, which
are the OpenAPI file of 0.15 for /api/principal and the schema of 0.16 for x:Domain and
x:Account, and refuses members that these do not have.  Its mail half is jmapd.py.
"""

import base64
import http.server
import json
import threading
import urllib.parse

import jmapd

TOKEN, KEY, SECRET = "manage-4711-token", "manage-key", "manage-4712-secret"
STALWART = "urn:stalwart:jmap"
LISTS = {"secrets", "emails", "urls", "memberOf", "roles", "lists", "members",
         "enabledPermissions", "disabledPermissions", "externalMembers"}
FOLDERS = {"Inbox": [], "Drafts": [], "Sent": [], "Archive": []}


class Account:
    def __init__(self, address, password, folders=None):
        self.address, self.password, self.type = address, password, "individual"
        self.id = "a" + format(abs(hash(address)) % 10**6)
        self.box = jmapd.Jmapd(folders or FOLDERS, listen=False, address=address)
        self.box.api = "/jmap/"
        self.box.allowed = lambda header: True


class Refused(Exception):
    """An answer instead of what was asked."""


class Stalwartd:
    def __init__(self, version="0.16"):
        self.version, self.domains, self.accounts = version, {}, {}
        self.log, self.wrong, self.hooks = [], [], {}
        self.logins = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1
            disable_nagle_algorithm = True

            def log_message(self, *_):
                pass

            def reply(self, status, body=b"", **headers):
                self.send_response(status)
                for k, v in headers.items():
                    self.send_header(k, v)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def any(self):
                body = self.rfile.read(int(self.headers["Content-Length"] or 0))
                outer.serve(self, body)

            do_GET = do_POST = do_PATCH = do_DELETE = any

        self.httpd = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.httpd.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.httpd.server_address[1]}"
        threading.Thread(target=self.httpd.serve_forever, daemon=True).start()

    def stop(self):
        self.httpd.shutdown()
        self.httpd.server_close()

    def before(self, name, f):
        self.hooks[name] = f

    def add(self, address, password, **more):
        self.domains.setdefault(address.partition("@")[2], f"d{len(self.domains)}")
        self.accounts[address.lower()] = Account(address, password, **more)
        return self.accounts[address.lower()]

    def hook(self, name):
        if name in self.hooks:
            self.hooks[name]()

    # -- HTTP
    def who(self, header):
        """ "manager", an Account, or None."""
        kind, _, text = (header or "").partition(" ")
        if kind == "Bearer":
            return "manager" if text == TOKEN else None
        user, _, password = base64.b64decode(text).decode().partition(":") \
            if kind == "Basic" else ("", "", "")
        if (user, password) == (KEY, SECRET):
            return "manager"
        account = self.accounts.get(user.lower())
        self.logins.append((user, account is not None and account.password == password))
        return account if account and account.password == password else None

    def serve(self, h, body):
        path = urllib.parse.urlsplit(h.path).path
        who = self.who(h.headers["Authorization"])
        name = who.address if isinstance(who, Account) else who
        self.log.append((h.command, path, name))
        try:
            if path == "/.well-known/jmap":
                return h.reply(307, Location="/jmap/session")
            if path == "/jmap" and h.command == "GET":
                return h.reply(404)
            if who is None:
                return h.reply(401, b'{"status":401,"title":"Unauthorized"}')
            if path.startswith("/api/"):
                return self.rest(h, path, who, body)
            if isinstance(who, Account):
                return self.mail(h, path, who, body)
            return self.manage(h, path, body)
        except Refused as e:
            return h.reply(e.args[0], json.dumps(e.args[1]).encode())
        except RuntimeError:
            return h.reply(500)

    def mail(self, h, path, who, body):
        """What leaves one of its accounts for another one is there at once."""
        if path == "/jmap/session":
            about = {**who.box.about(), "apiUrl": "/jmap/"}
            return h.reply(200, json.dumps(about).encode())
        sent = len(who.box.sent)
        who.box.serve(h, body)
        for envelope, raw in who.box.sent[sent:]:
            for to in envelope["rcptTo"]:
                if to["email"].lower() in self.accounts:
                    self.accounts[to["email"].lower()].box.put("Inbox", raw)
        return None

    def bad(self, what):
        self.wrong.append(what)
        raise Refused(400, {"type": "about:blank", "status": 400, "title": what})

    # -- 0.15: the OpenAPI file
    def rest(self, h, path, who, body):
        if self.version != "0.15" or not path.startswith("/api/principal"):
            raise Refused(404, {"status": 404, "title": "Not Found"})
        if who != "manager":
            raise Refused(403, {"status": 403, "title": "Forbidden"})
        name = urllib.parse.unquote(path[len("/api/principal"):].lstrip("/"))
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(h.path).query))
        call = f"rest_{h.command}_{'one' if name else 'all'}"
        if not hasattr(self, call):
            self.bad(f"{h.command} {path}")
        answer = getattr(self, call)(name, query, json.loads(body) if body else None)
        return h.reply(200, json.dumps(answer).encode())

    def rest_principals(self):
        for d in self.domains:
            yield {"type": "domain", "name": d, "emails": []}
        for a in self.accounts.values():
            yield {"type": a.type, "name": getattr(a, "name", a.address), "emails": a.address,
                   "secrets": "$6$x", "id": 1, "quota": 0}

    def rest_GET_all(self, _, query, __):
        if not set(query) <= {"types", "filter", "page", "limit", "fields", "count"}:
            self.bad(f"query {query}")
        types = query.get("types", "domain,individual").split(",")
        items = [p for p in self.rest_principals()
                 if p["type"] in types and query.get("filter", "") in str(p)]
        return {"data": {"items": items, "total": len(items)}}

    def rest_GET_one(self, name, _, __):
        for p in self.rest_principals():
            if p["name"].lower() == name.lower():
                return {"data": p}
        return {"error": "notFound", "item": name}

    def rest_POST_all(self, _, __, p):
        if set(p) != {"type", "name", "description", "quota"} | LISTS or \
                not all(isinstance(p[k], list) for k in LISTS) or not isinstance(p["quota"], int):
            self.bad(f"principal {sorted(p)}")
        self.hook("create " + p["type"])
        if any(q["name"].lower() == p["name"].lower() for q in self.rest_principals()):
            return {"error": "fieldAlreadyExists", "field": "name", "value": p["name"]}
        if p["type"] == "domain":
            self.domains[p["name"]] = "d"
            return {"data": 50}
        if p["type"] != "individual" or p["roles"] != ["user"] or p["emails"] != [p["name"]] or \
                len(p["secrets"]) != 1:
            self.bad(f"individual {p['type']}")
        if p["name"].partition("@")[2] not in self.domains:
            return {"error": "notFound", "item": p["name"].partition("@")[2]}
        self.add(p["name"], p["secrets"][0])
        self.hook("created")
        return {"data": 51}

    def rest_PATCH_one(self, name, _, changes):
        if not isinstance(changes, list) or not all(
                set(c) == {"action", "field", "value"} and c["action"] in
                ("set", "addItem", "removeItem") and isinstance(c["value"], str)
                for c in changes):
            self.bad("patch")
        if name.lower() not in self.accounts:
            return {"error": "notFound", "item": name}
        self.hook("password")
        for c in changes:
            if (c["action"], c["field"]) != ("set", "secrets"):
                return {"error": "unsupported"}
            self.accounts[name.lower()].password = c["value"]
        self.hook("password set")
        return {"data": None}

    def rest_DELETE_one(self, name, _, body):
        if body is not None:
            self.bad("a body for DELETE")
        if self.accounts.pop(name.lower(), None) is None:
            return {"error": "notFound", "item": name}
        return {"data": None}

    # -- 0.16: JMAP objects
    def manage(self, h, path, body):
        if path == "/jmap/session":
            account = {"name": "admin", "isPersonal": True, "isReadOnly": False,
                       "accountCapabilities": {jmapd.CORE: {}}}
            if self.version == "0.16":
                account["accountCapabilities"][STALWART] = {}
            about = {"capabilities": {jmapd.CORE: {}}, "accounts": {"adm": account},
                     "primaryAccounts": {}, "apiUrl": "/jmap/", "username": "admin",
                     "downloadUrl": "/x", "uploadUrl": "/x", "state": "s"}
            return h.reply(200, json.dumps(about).encode())
        if path != "/jmap/" or h.command != "POST" or self.version != "0.16":
            return h.reply(404)
        request = json.loads(body)
        if set(request["using"]) != {jmapd.CORE, STALWART}:
            self.bad("using")
        out = []
        for name, args, tag in request["methodCalls"]:
            args = dict(args)
            if args.pop("accountId", None) != "adm":
                self.bad("accountId")
            if "#ids" in args:
                args["ids"] = jmapd.Jmapd.refer(out, args.pop("#ids"))
            kind, _, verb = name.removeprefix("x:").partition("/")
            handler = getattr(self, f"x_{verb}", None)
            if not name.startswith("x:") or kind not in ("Domain", "Account") or handler is None:
                out.append(["error", {"type": "unknownMethod"}, tag])
                continue
            out.append([name, {"accountId": "adm", **handler(kind, args)}, tag])
        return h.reply(200, json.dumps({"methodResponses": out, "sessionState": "s"}).encode())

    def objects(self, kind):
        if kind == "Domain":
            return [{"id": i, "name": d} for d, i in self.domains.items()]
        return [{"id": a.id, "@type": "User" if a.type == "individual" else "Group",
                 "name": getattr(a, "name", a.address.partition("@")[0]),
                 "domainId": self.domains[a.address.partition("@")[2]],
                 "emailAddress": a.address, "credentials": {"0": {"@type": "Password"}}}
                for a in self.accounts.values()]

    def x_query(self, kind, args):
        if not set(args) <= {"filter", "limit", "position"} or set(args["filter"]) != {"name"}:
            self.bad(f"query {args}")
        # A search: more than the name that was asked for may come.
        return {"ids": [o["id"] for o in self.objects(kind)
                        if args["filter"]["name"].lower() in o["name"].lower()]}

    def x_get(self, kind, args):
        if not set(args) <= {"ids", "properties"}:
            self.bad(f"get {args}")
        return {"list": [o for o in self.objects(kind) if o["id"] in args["ids"]],
                "notFound": [], "state": "s"}

    def x_set(self, kind, args):
        if not set(args) <= {"create", "update", "destroy"}:
            self.bad(f"set {sorted(args)}")
        out = {"created": {}, "notCreated": {}, "updated": {}, "notUpdated": {}, "destroyed": [],
               "notDestroyed": {}}
        for key, o in args.get("create", {}).items():
            made = getattr(self, f"create_{kind}")(o)
            out["created" if "id" in made else "notCreated"][key] = made
        for i, patch in args.get("update", {}).items():
            why = self.update(i, patch)
            out["notUpdated" if why else "updated"][i] = why
        for i in args.get("destroy", []):
            found = [a for a in self.accounts.values() if a.id == i]
            for a in found:
                del self.accounts[a.address.lower()]
            if found:
                out["destroyed"].append(i)
            else:
                out["notDestroyed"][i] = {"type": "notFound"}
        return {k: v for k, v in out.items() if v} | {"newState": "t"}

    def create_Domain(self, o):
        if set(o) != {"name"}:
            self.bad(f"domain {sorted(o)}")
        self.hook("create domain")
        self.domains[o["name"]] = f"d{len(self.domains)}"
        return {"id": self.domains[o["name"]]}

    def create_Account(self, o):
        if set(o) != {"@type", "name", "domainId", "credentials", "roles", "permissions",
                      "encryptionAtRest", "locale"} or o["@type"] != "User" or "@" in o["name"] \
                or list(o["credentials"]) != ["0"] or \
                set(o["credentials"]["0"]) != {"@type", "secret"} or \
                o["roles"] != {"@type": "User"} or o["permissions"] != {"@type": "Inherit"} or \
                o["encryptionAtRest"] != {"@type": "Disabled"}:
            self.bad(f"account {sorted(o)}")
        self.hook("create individual")
        domain = next((d for d, i in self.domains.items() if i == o["domainId"]), None)
        address = f"{o['name']}@{domain}"
        if domain is None or address.lower() in self.accounts:
            return {"type": "primaryKeyViolation"}
        account = self.add(address, o["credentials"]["0"]["secret"])
        self.hook("created")
        return {"id": account.id}

    def update(self, i, patch):
        account = next((a for a in self.accounts.values() if a.id == i), None)
        if account is None:
            return {"type": "notFound"}
        if list(patch) != ["credentials/0"] or \
                set(patch["credentials/0"]) != {"@type", "secret"}:
            self.bad(f"update {sorted(patch)}")
        self.hook("password")
        account.password = patch["credentials/0"]["secret"]
        self.hook("password set")
        return None
