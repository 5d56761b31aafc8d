# SPDX-License-Identifier: Apache-2.0
"""emcli init for a mailbox that is opened by consent, not by password."""

import re

from oauthlab import browse
from oauthlab import npm, oidc  # noqa: F401
from firstrun import ADDRESS, to_servers, to_who
from firstrun import first  # noqa: F401


def to_consent(first, dovecot, oidc, s):  # noqa: F811
    to_who(first, s)
    to_servers(s)
    s.type(f"localhost:{dovecot.imaps}")
    s.fill("Private CA file", dovecot.ca)
    s.choose("Sign in with", "oauth2")
    s.press("Enter")
    s.wait("Only listed senders")
    s.press("Enter")
    s.wait("Client secret")
    s.fill("Token issuer", oidc.base)
    s.fill("Token scope", "openid offline_access mail")
    s.fill("Client id", "native")
    s.press("Enter")
    s.wait(f"Account lab for {ADDRESS}[\\s\\S]*Write it down")
    assert first.nothing()
    s.press("Enter")
    s.wait("Waiting ...")
    return re.search(r"\n  (http\S+)", s.joined()).group(1)


def test_first_run_to_a_consent(first, dovecot, oidc):  # noqa: F811
    with first.screen() as s:
        url = to_consent(first, dovecot, oidc, s)
        assert "You may close this tab" in browse(url)
        assert s.end(60) == 0
        after = s.text(history=True)
    assert "the consent for lab is kept" in after
    assert re.search("imap.login +ok", after)
    # Now that its mail can be read, whom to believe was looked for.
    assert re.search("newest [0-9]+ messages|There is no mail yet", after)
    assert first.healthy()
    assert [row[2] for row in first.rows()[2]][:2] == ["account.add", "account.consent"]


def test_no_consent_leaves_the_account(first, dovecot, oidc):  # noqa: F811
    with first.screen() as s:
        url = to_consent(first, dovecot, oidc, s)
        browse(url, "no")
        assert s.end(60) == 1
        assert "emcli account consent" in s.text(history=True)
    assert [a["name"] for a in first.rows()[0]] == ["lab"]
