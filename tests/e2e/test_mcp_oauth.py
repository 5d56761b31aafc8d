# SPDX-License-Identifier: Apache-2.0
"""
emcli mcp --http with the access tokens of an identity provider: oidc-provider, the
official SDK's client that gets one by itself, and Chromium for its user.
"""

import json
import select
import sqlite3
import subprocess
import time
import urllib.parse
import urllib.request

import pytest

import ports
from oauthlab import NPM, Program, browse, node, npm  # noqa: F401
from test_mcp import work  # noqa: F401
from test_mcp_http import BOX, Client, Server

PERSON = "agent@lab.example"  # who logs in: npm/consent.mjs
KNOWN = "/.well-known/oauth-protected-resource"


class Authority(Program):
    def __init__(self):
        super().__init__(["authority.mjs", str(port := ports.free(1)[0])], port)

    def post(self, path, data, **heads):
        if isinstance(data, dict):
            data = json.dumps(data).encode()
        request = urllib.request.Request(self.base + path, data, heads)
        with urllib.request.urlopen(request, timeout=60) as f:
            return json.loads(f.read() or b"{}")

    def mint(self, resource, header=None, key=None, **claims):
        """A token of its own, with these claims instead of good ones."""
        now = int(time.time())
        all_of = {"iss": self.base, "sub": PERSON, "aud": resource, "iat": now,
                  "exp": now + 600, "client_id": "x", "jti": "1", **claims}
        ask = {"header": header or {},
               "claims": {k: v for k, v in all_of.items() if v is not None}}
        if key is not None:
            ask["key"] = key
        return self.post("/lab/mint", ask)["token"]

    def token(self, client, resource, scope=""):
        """As a program gets one for itself: its subject is the client."""
        form = urllib.parse.urlencode({
            "grant_type": "client_credentials", "client_id": client, "client_secret": "lab",
            "resource": resource, **({"scope": scope} if scope else {})}).encode()
        return self.post("/token", form)["access_token"]

    def asked(self, path):
        return sum(e["path"] == path for e in self.events("asked"))


@pytest.fixture
def authority(npm):
    server = Authority()
    yield server
    server.stop()


class Site:
    """emcli with that provider, and its server, which is started when it is needed."""

    def __init__(self, emcli, authority):
        self.emcli, self.authority = emcli, authority
        self.port = ports.free(1)[0]
        self.resource = f"http://127.0.0.1:{self.port}/mcp"
        self.server = None

    def trust(self, *argv, stdin=None):
        r = self.emcli.admin("issuer", "set", self.authority.base, "--resource", self.resource,
                             *argv, stdin=stdin)
        assert r.rc == 0, str(r)
        return self

    def map(self, name="dora", subject=PERSON):
        r = self.emcli.admin("agent", "add", name, "--subject", subject)
        assert r.rc == 0, str(r)
        return r.out.decode().strip()

    def start(self, *argv):
        self.server = Server(self.emcli, *argv, at=f"127.0.0.1:{self.port}")
        return self

    def ask(self, token):
        """Status, WWW-Authenticate and what was said, for a call with that token."""
        c = Client(self.server, token)
        none = {"Authorization": None} if token is None else {}
        status, head, got = c.post("tools/list", **none)
        return status, head["WWW-Authenticate"], got

    @property
    def meta(self):
        return f'resource_metadata="http://127.0.0.1:{self.port}{KNOWN}/mcp"'

    def is_invalid(self, token, why):
        """It is refused so that a client gets another one."""
        status, head, got = self.ask(token)
        assert status == 401, (why, got)
        assert self.meta in head and 'error="invalid_token"' in head, (why, head)

    def get(self, path):
        c = Client(self.server, None)
        conn = c.begin("GET", path=path, Authorization=None)
        r = conn.getresponse()
        data = r.read()
        conn.close()
        return r.status, json.loads(data)


@pytest.fixture
def place(work, authority):
    site = Site(work, authority)
    yield site
    if site.server is not None:
        site.server.end()


def test_the_sdks_client_gets_a_token_by_itself_and_calls_a_tool(place):
    place.trust("--scope", "mail").map()
    place.start()
    client = subprocess.Popen([node(), "authorized.mjs", place.resource], cwd=NPM,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
    page = json.loads(client.stdout.readline())["page"]
    asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(page).query))
    assert asked["resource"] == place.resource and asked["scope"] == "mail"
    assert "You may close this tab" in browse(page)
    out, err = client.communicate(timeout=120)
    assert client.returncode == 0, err.decode()
    got = json.loads(out.splitlines()[-1])
    assert "load_skill" in got["tools"]
    assert all(f"note {n}" in got["rows"] for n in range(3))
    # The audit names the agent, and the token is nowhere.
    rows = json.loads(place.emcli.admin("audit", "list", "--json").out)["audit"]
    assert [r["principal"] for r in rows if r["action"] == "list"] == ["dora"]
    for file in place.emcli.db.parent.rglob("*"):
        if file.is_file():
            assert got["token"].split(".")[2].encode() not in file.read_bytes(), file


NOW = int(time.time())
BAD = {
    "wrong audience": dict(aud="https://other.example/mcp"),
    "audience of others": dict(aud=["https://a.example", "https://b.example"]),
    "no audience": dict(aud=None),
    "wrong issuer": dict(iss="https://id.example"),
    "expired": dict(iat=NOW - 7200, exp=NOW - 3600),
    "not yet": dict(nbf=NOW + 3600),
    "no subject": dict(sub=None),
    "an ID token": dict(header={"typ": "JWT"}),
}


def test_tokens_that_are_refused(place):
    place.trust().map()
    place.start()
    meta = place.meta
    mint = place.authority.mint
    assert place.ask(mint(place.resource))[0] == 200
    for why, claims in BAD.items():
        place.is_invalid(mint(place.resource, **claims), why)
    # A good token of somebody who is no agent: another token would be no better.
    status, head, got = place.ask(mint(place.resource, sub="stranger"))
    assert status == 403 and meta in head and "error=" not in head, (head, got)
    assert got["error"]["message"].endswith("agent add NAME --subject='stranger'")
    # Its subject is a word of the command, and nothing beside it.
    _, _, got = place.ask(mint(place.resource, sub="it's\nme"))
    assert got["error"]["message"].endswith(r"--subject=$'it\x27s\x0ame'")
    # No token, half of one, and an agent's own that is wrong.
    for token in (None, "a b", "emcli_" + "0" * 64):
        status, head, got = place.ask(token)
        assert status == 401 and meta in head, (token, head)
        assert ("error=" in head) == (token is not None and token.startswith("emcli_"))
    # One in the address is none.
    c = Client(place.server, None)
    body, heads = c.message("tools/list")
    status, head, _ = c.send("POST", body, path=f"/mcp?access_token={mint(place.resource)}",
                             **{**heads, "Authorization": None})
    assert status == 401 and meta in head["WWW-Authenticate"] and \
        "error=" not in head["WWW-Authenticate"]


def test_a_scope_that_is_missing(place):
    place.trust("--scope", "mail").map("program", "signed")
    place.start()
    token = place.authority.token
    assert place.ask(token("signed", place.resource, "mail other"))[0] == 200
    status, head, got = place.ask(token("signed", place.resource, "other"))
    assert status == 403 and 'error="insufficient_scope"' in head and 'scope="mail"' in head, got


def test_what_clients_learn(place):
    place.trust("--scope", "mail")
    place.start()
    want = {"resource": place.resource, "authorization_servers": [place.authority.base],
            "scopes_supported": ["mail"], "bearer_methods_supported": ["header"],
            "resource_name": "emcli"}
    assert place.get(KNOWN) == (200, want)
    assert place.get(KNOWN + "/mcp") == (200, want)
    assert place.get(KNOWN + "/other")[0] == 404


def test_without_an_identity_provider_nothing_is_different(place):
    own = place.emcli.admin("agent", "add", "dora").out.decode().strip()
    place.start()
    assert place.get(KNOWN)[0] == 404
    assert place.ask(own)[0] == 200
    for token in (None, place.authority.mint(place.resource)):
        status, head, _ = place.ask(token)
        assert (status, head) == (401, 'Bearer realm="emcli"')
    assert not place.authority.asked("/jwks")


def test_an_agents_own_token_and_its_subject_are_the_same_agent(place):
    own = place.trust().map()
    place.start()
    theirs = place.authority.mint(place.resource)
    for token in (own, theirs):
        assert Client(place.server, token).data("load_skill", skill="mail-read")
    place.emcli.admin("agent", "remove", "dora")
    assert [place.ask(t)[0] for t in (own, theirs)] == [401, 403]


def test_a_new_key_is_fetched_and_a_made_up_one_is_not(place):
    place.trust().map()
    place.start()
    before = place.authority.asked("/jwks")
    mint = place.authority.mint
    assert [place.ask(mint(place.resource))[0] for _ in range(3)] == [200] * 3
    assert place.authority.asked("/jwks") == before + 1
    # Within a minute of the last time, whatever a stranger says of keys.
    for n in range(5):
        assert place.ask(mint(place.resource, header={"kid": f"x{n}"}))[0] == 401
    assert place.authority.asked("/jwks") == before + 1
    # Its new key is there when the minute is over; here, by another start.
    place.authority.post("/lab/rotate", {})
    place.trust()
    assert place.ask(mint(place.resource))[0] == 200
    assert place.ask(mint(place.resource, key=0))[0] == 401


@pytest.fixture
def asking(place, tmp_path):
    """The provider is asked about each token; its client `plain` is an agent."""
    secret = tmp_path / "secret"
    secret.write_text("lab-secret\n")
    secret.chmod(0o600)
    place.asks = "--client-id", "asks", "--client-secret-file", secret
    place.trust(*place.asks)
    place.map("program", "plain")
    return place


def test_introspection(asking):
    place = asking.start()
    token = place.authority.token("plain", place.resource)
    assert "." not in token
    assert place.ask(token)[0] == 200
    place.is_invalid(place.authority.token("plain", "https://other.example/mcp"), "audience")
    place.is_invalid("made-up", "it is not known")
    # The secret is sealed, and comes along when the key changes.
    for file in place.emcli.db.parent.rglob("*.db*"):
        assert b"lab-secret" not in file.read_bytes()
    r = place.emcli.admin("key", "rewrap", "--dek")
    assert r.rc == 0, str(r)
    assert place.ask(token)[0] == 200
    # What is taken back opens nothing from then on.
    form = {"token": token, "client_id": "plain", "client_secret": "lab"}
    place.authority.post("/token/revocation", urllib.parse.urlencode(form).encode())
    place.is_invalid(token, "it was revoked")
    # One that is good for less, or of a subject that is no agent, stays what it is.
    token = place.authority.token("plain", place.resource, "other")
    place.emcli.admin("agent", "remove", "program")
    status, head, _ = place.ask(token)
    assert status == 403 and place.meta in head and "error=" not in head
    place.trust("--scope", "mail", *place.asks)
    status, head, _ = place.ask(token)
    assert status == 403 and place.meta in head and 'error="insufficient_scope"' in head


def test_tokens_of_strangers_keep_nobody_waiting(asking):
    place = asking.start("--workers", "1")
    own = place.emcli.admin("agent", "add", "dora").out.decode().strip()
    met, fresh = (place.authority.token("plain", place.resource) for _ in range(2))
    assert place.ask(met)[0] == 200
    place.authority.post("/lab/hold", {})

    def held():
        return {e["token"] for e in place.authority.events("held")}

    def stranger(n):
        return Client(place.server, f"slow-{n}").open("tools/list")

    # A few are checked at a time, and a few more wait; the next one is told to come again.
    checked = [stranger(n) for n in range(4)]
    until = time.monotonic() + 60
    while len(held()) < 4 and time.monotonic() < until:
        time.sleep(0.02)
    waiting = {c.sock: c for c in (stranger(n) for n in range(4, 13))}
    [one], _, _ = select.select(list(waiting), [], [], 60)
    r = waiting.pop(one).getresponse()
    assert (r.status, r.headers["Retry-After"]) == (503, "5"), r.read()
    # Meanwhile agents are served.
    assert [place.ask(t)[0] for t in (own, met)] == [200, 200]
    # Those who hang up make room for a token that may be good, and are never asked about.
    for c in waiting.values():
        c.close()
    last = Client(place.server, fresh).open("tools/list")
    place.authority.post("/lab/release", {})
    assert last.getresponse().status == 200
    assert [c.getresponse().status for c in checked] == [401] * 4
    assert held() == {f"slow-{n}" for n in range(4)}


def test_a_stranger_who_hangs_up_makes_room(asking):
    place = asking.start("--workers", "1")
    place.authority.post("/lab/hold", {})
    # A check that nobody ends takes 10 s: these would take 90.
    until = time.monotonic() + 80
    for k in range(10):
        names = {f"slow-{k}-{n}" for n in range(4)}
        clients = [Client(place.server, name).open("tools/list") for name in names]
        # The provider answers none of them.
        while not {e["token"] for e in place.authority.events("held")} >= names:
            assert time.monotonic() < until, k
            time.sleep(0.02)
        for c in clients:
            c.close()
    place.authority.post("/lab/release", {})
    assert place.ask(place.authority.token("plain", place.resource))[0] == 200


def issuer_line(place):
    r = place.emcli.admin("doctor", "--json")
    found = [c for c in json.loads(r.out)["data"]["checks"] if c["check"] == "issuer"]
    return found[0] if found else None


def rename_issuer(place, name):
    with sqlite3.connect(place.emcli.db) as db:
        db.execute("UPDATE issuer SET issuer = ?", (name,))


def test_what_doctor_says_of_it(place):
    assert issuer_line(place) is None
    base = place.authority.base
    place.trust()
    line = issuer_line(place)
    assert line["ok"] and line["message"] == f"{base} has 1 key for its tokens"
    assert line["detail"] == f"{base}/jwks"
    # It is for the operator.
    r = place.emcli.run("doctor", "--json")
    assert not [c for c in json.loads(r.out)["data"]["checks"] if c["check"] == "issuer"]
    # Its tokens would have another name than the one that is set.
    rename_issuer(place, base + "/")
    line = issuer_line(place)
    assert not line["ok"] and f"calls itself {base} now" in line["message"], line
    assert "emcli issuer set again" in line["next"]
    rename_issuer(place, base)
    place.authority.stop()
    line = issuer_line(place)
    assert not line["ok"] and line["message"].startswith(f"tokens of {base} cannot be checked: ")
    assert "look at the provider" in line["next"]


def test_what_doctor_says_of_introspection(asking):
    base = asking.authority.base
    line = issuer_line(asking)
    assert line["ok"] and line["message"] == f"{base} answers questions about tokens"
    # The secret is for this issuer alone.
    rename_issuer(asking, base + "/")
    line = issuer_line(asking)
    assert not line["ok"] and "client secret cannot be unsealed" in line["message"], line


def test_a_provider_that_is_gone(place):
    place.trust().map()
    place.start()
    token = place.authority.mint(place.resource)
    place.authority.stop()
    status, _, got = place.ask(token)
    assert status == 503, got


@pytest.mark.parametrize("argv, say", [
    (["http://127.0.0.1:1", "--resource", "http://127.0.0.1:9/mcp"], "connect"),
    (["https://id.example", "--resource", "http://mail.example/mcp"], "--resource takes"),
    (["https://id.example", "--resource", "https://mail.example/mcp?a=b"], "--resource takes"),
    (["https://id.example", "--resource", "https://m.example/", "--client-id", "x"],
     "--client-id needs"),
    (["https://id.example", "--resource", "https://m.example/", "--client-id", "x", "--any-type"],
     "--any-type is about signed tokens"),
    (["https://id.example", "--resource", "https://m.example/", "--scope", 'a"b'],
     "characters"),
])
def test_what_cannot_be_set(emcli, argv, say):
    r = emcli.admin("issuer", "set", *argv)
    assert r.rc != 0 and say in (r.out + r.err).decode(), str(r)
    assert emcli.admin("issuer", "show").rc != 0
