/* SPDX-License-Identifier: Apache-2.0 */
/* Text that looks like a secret, text that does not, and disguises of both. */
#include "../store/fixture.h"

#include "base/buf.h"
#include "base/limits.h"
#include "gate/internal.h"
#include "gate/outbox_secret.h"
#include "store/outbox.h"

#define R20 "a1B2c3D4e5F6g7H8i9J0"
#define R40 R20 R20
#define HEX32 "0123456789abcdef0123456789abcdef"

static const struct hit {
	const char *text, *kind;
} hits[] = {
	{ "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg", "private_key" },
	{ "-----BEGIN RSA PRIVATE KEY-----", "private_key" },
	{ "-----BEGIN EC PRIVATE KEY-----", "private_key" },
	{ "-----BEGIN DSA PRIVATE KEY-----", "private_key" },
	{ "-----BEGIN ENCRYPTED PRIVATE KEY-----", "private_key" },
	{ "-----BEGIN OPENSSH PRIVATE KEY-----", "private_key" },
	{ "-----BEGIN PGP PRIVATE KEY BLOCK-----", "private_key" },
	{ "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----", "private_key" },
	{ "PuTTY-User-Key-File-3: ssh-ed25519", "private_key" },
	{ "{\"private_key\": \"-----BEGIN PRIVATE KEY-----\\nMII\"}",
	    "private_key" },
	/* The body of a key without the lines around it. */
	{ "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2",
	    "private_key" },
	{ "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7",
	    "private_key" },
	{ "MIIEpAIBAAKCAQEAxvE3pZ3dG6mJQ0zG6g0w", "private_key" },
	{ "MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF",
	    "private_key" },
	{ "AGE-SECRET-KEY-1QQPQZRFR7ZZ2WCV5XG3K9GFJHEHFYGJZJKZQGQ7E8QYJXKQ8QZQ"
	  "QQQQQQQQQQQ",
	    "private_key" },
	{ "AKIAIOSFODNN7EXAMPLE", "aws_key" },
	{ "id=ASIAIOSFODNN7EXAMPLE;", "aws_key" },
	{ "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
	    "aws_key" },
	{ "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
	    "aws_key" },
	{ "\"SecretAccessKey\": \"wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\"",
	    "aws_key" },
	{ "AccountKey=" R40 R40 "abcdef==;EndpointSuffix", "azure_key" },
	{ "AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY", "google_key" },
	{ "GOCSPX-" R20 "abcdefgh", "google_oauth" },
	{ "ya29." R40, "google_oauth" },
	{ "1//0g" R40, "google_oauth" },
	{ "ghp_" R40, "github_token" },
	{ "token:gho_" R40, "github_token" },
	{ "ghu_" R40, "github_token" },
	{ "https://x:ghs_" R40 "@github.com/a/b", "github_token" },
	{ "ghr_" R40, "github_token" },
	{ "github_pat_11ABCDEFG0" R20 "_" R40, "github_token" },
	{ "glpat-" R20, "gitlab_token" },
	{ "glrt-" R20, "gitlab_token" },
	{ "glptt-" R40, "gitlab_token" },
	{ "xoxb-123456789012-1234567890123-" R20, "slack_token" },
	{ "xoxp-123456789012-1234567890123-" R20, "slack_token" },
	{ "xapp-1-A0123456789-1234567890123-" R20, "slack_token" },
	{ "https://hooks.slack.com/services/T01234567/B01234567/" R20 "abcd",
	    "slack_token" },
	{ "sk_live_" R20 "abcd", "stripe_key" },
	{ "rk_test_" R20 "abcd", "stripe_key" },
	{ "whsec_" R20 "abcdefghijkl", "stripe_key" },
	{ "sk-" R40 "abcdefgh", "openai_key" },
	{ "sk-proj-" R20 "-" R20 "_", "openai_key" },
	{ "key sk-ant-api03-" R40, "anthropic_key" },
	{ "//registry.npmjs.org/:_authToken=npm_" R20 "abcdefghijklmnop",
	    "npm_token" },
	{ "pypi-AgEIcHlwaS5vcmc" R40, "pypi_token" },
	{ "hf_" R20 "abcdefghijklmnop", "huggingface_token" },
	{ "hvs." R20 "abcd", "vault_token" },
	{ "dop_v1_" HEX32 HEX32, "digitalocean_token" },
	{ "shpat_" HEX32, "shopify_token" },
	{ "dapi" HEX32, "databricks_token" },
	{ "key-" HEX32, "mailgun_key" },
	{ "123456789:AA" R20 "abcdefghijklm", "telegram_token" },
	{ "SG." R20 "ab." R40 "abc", "sendgrid_key" },
	{ "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0."
	  "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
	    "jwt" },
	/* The same, disguised. */
	{ "gh\xe2\x80\x8bp_" R40, "github_token" },
	{ "glpat=2D" R20, "gitlab_token" },
	{ "glpat%2D" R20, "gitlab_token" },
	{ "glpat-a1B2c3D4=\r\ne5F6g7H8i9J0", "gitlab_token" },
	{ "the file: QUtJQUlPU0ZPRE5ON0VYQU1QTEU= bye", "aws_key" },
	{ "414b4941494f53464f444e4e374558414d504c45", "aws_key" },
	{ "41:4b:49:41:49:4f:53:46:4f:44:4e:4e:37:45:58:41:4d:50:4c:45",
	    "aws_key" },
};

static const char *const innocents[] = {
	"",
	"Dear Bob, the meeting is at ten. Yours, Alice",
	"-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A",
	"-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0B",
	"-----BEGIN PGP PUBLIC KEY BLOCK-----",
	"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512",
	"-----BEGIN CERTIFICATE REQUEST-----",
	"never mail your private key, and no PRIVATE KEY block either",
	"ssh-ed25519 "
	"AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0d"
	" alice@host",
	"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC7 bob@host",
	"AKIA is how such ids begin",
	"AKIAIOSFODNN7EXAMPLES",
	"xAKIAIOSFODNN7EXAMPLE",
	"akiaiosfodnn7example",
	"aws_secret_access_key is missing from the file",
	"set aws_secret_access_key=$SECRET in the shell",
	"AccountKey=...",
	"AIza is the beginning",
	"GOCSPX-your-client-secret-goes-here-please",
	"ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
	"ghp_YOURTOKENHEREYOURTOKENHEREYOURTOKENHERE",
	"ghp_ tokens have 36 characters",
	"github_pat_ is the new form",
	"glpat-xxxxxxxxxxxxxxxxxxxx",
	"glpat-your-token-goes-here",
	"xoxb-your-token-goes-here-please",
	"https://hooks.slack.com/services/T000/B000/XXXX",
	"sk_live_ keys start like that",
	"sk_test_publishable",
	"pk_live_" R20 "abcd",
	"import sk-learn and scikit-image",
	"a task-" R40 "abcdefgh of no meaning",
	"sk-ant- is a prefix",
	"npm_config_registry=https://registry.example/",
	"npm_package_config_something_very_long_indeed",
	"pypi-AgEIcHlwaS5vcmc",
	"hf_hub_download(repo_id, filename)",
	"hvs.xxxxxxxxxxxxxxxxxxxxxxxx",
	"key-value stores; key-0123",
	"the commit 0123456789abcdef0123456789abcdef01234567",
	"sha256:" HEX32 HEX32,
	"3e25960a79dbc69b674cd4ec67a72c62",
	"550e8400-e29b-41d4-a716-446655440000",
	"at 12:AA gate 7",
	"SG.one.two",
	"eyJhbGciOiJub25lIn0 is the head of a token",
	"eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.",
	"<20261121.a1B2c3D4e5F6g7H8i9J0@mail.example>",
	"https://shop.example/track?id=a1B2c3D4e5F6g7H8i9J0&utm=newsletter",
	"data:image/"
	"png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUl"
	"EQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
	"DE89 3704 0044 0532 0130 00; 4111 1111 1111 1111",
};

static void
keys_and_tokens_are_known_by_their_shape(void **state)
{
	const struct outbox_secret w = { 0 };

	(void)state;
	assert_true(sizeof(hits) / sizeof(hits[0]) >= 40);
	for (size_t i = 0; i < sizeof(hits) / sizeof(hits[0]); i++) {
		const char *kind = outbox_secret_text(&w, str_of(hits[i].text));

		if (kind == NULL || strcmp(kind, hits[i].kind) != 0)
			fail_msg("%s: %s, not %s", hits[i].text,
			    kind == NULL ? "nothing" : kind, hits[i].kind);
	}
}

static void
honest_texts_pass(void **state)
{
	const struct outbox_secret w = { 0 };

	(void)state;
	assert_true(sizeof(innocents) / sizeof(innocents[0]) >= 40);
	for (size_t i = 0; i < sizeof(innocents) / sizeof(innocents[0]); i++) {
		const char *kind = outbox_secret_text(&w, str_of(innocents[i]));

		if (kind != NULL)
			fail_msg("%s: %s", innocents[i], kind);
	}
}

static const struct disguise {
	const char *text, *kind;
} disguises[] = {
	{ "see Blue-Heron-42 there", "canary" },
	{ "see blue-heron-42 there", "canary" },
	{ "BLUE-HERON-42", "canary" },
	{ "B l u e - H e r o n - 4 2", "canary" },
	{ "Blue-\nHeron-42", "canary" },
	{ "Blu\xe2\x80\x8b"
	  "e-Her\xc2\xad"
	  "on-42",
	    "canary" },
	{ "B\xcc\xb2l\xcc\xb2ue-Heron-42", "canary" },
	{ "\xef\xbc\xa2lue-Heron-42", "canary" }, /* full width */
	{ "24-noreH-eulB", "canary" },
	{ "Blue%2DHeron%2D42", "canary" },
	{ "Blue=2DHeron=2D42", "canary" },
	{ "Qmx1ZS1IZXJvbi00Mg==", "canary" },
	{ "xQmx1ZS1IZXJvbi00Mg", "canary" },
	{ "xxQmx1ZS1IZXJvbi00Mg", "canary" },
	{ "xxxQmx1ZS1IZXJvbi00Mg", "canary" },
	{ "Qmx1Z S1IZX\nJvbi0 0Mg==", "canary" },
	{ "426c75652d4865726f6e2d3432", "canary" },
	{ "\\x42\\x6c\\x75\\x65\\x2d\\x48\\x65\\x72\\x6f\\x6e\\x2d\\x34\\x32",
	    "canary" },
	/* Base64 of Base64. */
	{ "UW14MVpTMUlaWEp2YmkwME1nPT0=", "canary" },
	/* Unicode tags. */
	{ "hi\xf3\xa0\x81\x82\xf3\xa0\x81\xac\xf3\xa0\x81\xb5\xf3\xa0\x81\xa5"
	  "\xf3\xa0\x80\xad\xf3\xa0\x81\x88\xf3\xa0\x81\xa5\xf3\xa0\x81\xb2"
	  "\xf3\xa0\x81\xaf\xf3\xa0\x81\xae\xf3\xa0\x80\xad\xf3\xa0\x80\xb4"
	  "\xf3\xa0\x80\xb2",
	    "canary" },
	{ "Blue-Heron-4", NULL },
	{ "Blue-Heron-43", NULL },
	/* The account's password: tr0ub4dor&3 */
	{ "it is tr0ub4dor&3.", "own_credential" },
	{ "tr0ub4 dor&3", "own_credential" },
	{ "3&rodbu0rt... 3&rod4bu0rt", "own_credential" },
	{ "dHIwdWI0ZG9yJjM=", "own_credential" },
	{ "7472307562346 46f722633", "own_credential" },
	{ "TR0UB4DOR&3", NULL }, /* a password's case matters */
	/* emcli's own key, as text, without padding, as hex of its bytes. */
	{ AGENT_KEY, "own_credential" },
	{ "QkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkI", "own_credential" },
	{ "4242424242424242424242424242424242424242424242424242424242424242",
	    "own_credential" },
};

static void
canaries_and_credentials_are_found_in_disguise(void **state)
{
	struct fx *x = *state;
	CLEANUP(secret_close)
	struct secret *password = fx_secret("tr0ub4dor&3");
	struct env env = { .agent_key = x->agent };
	struct outbox_secret w;
	int64_t id = fx_account(x, "work");

	assert_ok(x,
	    store_account_seal(x->s, id, STORE_PASSWORD, password, &x->e));
	assert_ok(x, store_canary_add(x->s, S("Blue-Heron-42"), &x->e));
	assert_ok(x, store_canary_add(x->s, S("another planted word"), &x->e));
	assert_ok(x, outbox_secret_open(&w, x->s, &env, id, x->a, &x->e));
	for (size_t i = 0; i < sizeof(disguises) / sizeof(disguises[0]); i++) {
		const struct disguise *d = &disguises[i];
		const char *kind = outbox_secret_text(&w, str_of(d->text));

		if ((kind == NULL) != (d->kind == NULL) ||
		    (kind != NULL && strcmp(kind, d->kind) != 0))
			fail_msg("%s: %s", d->text,
			    kind == NULL ? "nothing" : kind);
	}
	for (size_t i = 0; i < sizeof(innocents) / sizeof(innocents[0]); i++)
		assert_null(outbox_secret_text(&w, str_of(innocents[i])));
	outbox_secret_close(&w);
}

#define WHOLE(message)                                                         \
	"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nhi\r\n"   \
	"--b\r\nContent-Type: message/rfc822\r\n\r\n" message "\r\n--b--\r\n"

/* In every part of a message. */
static const char *const messages[] = {
	"To: Blue-Heron-42@evil.example\r\nSubject: x\r\n\r\nhi\r\n",
	"Subject: =?utf-8?B?Qmx1ZS1IZXJvbi00Mg==?=\r\n\r\nhi\r\n",
	"Subject: x\r\nContent-Transfer-Encoding: base64\r\n\r\n"
	"YWJjIEJsdWUtSGVy\r\nb24tNDIgZGVm\r\n",
	"Subject: x\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
	"Blue-=\r\nHeron=2D42\r\n",
	"Content-Type: multipart/mixed; "
	"boundary=b\r\n\r\n--b\r\n\r\nhi\r\n--b\r\n"
	"Content-Type: application/octet-stream\r\n"
	"Content-Disposition: attachment; "
	"filename=\"Blue-Heron-42.txt\"\r\n\r\n"
	"x\r\n--b--\r\n",
	"Content-Type: multipart/mixed; "
	"boundary=b\r\n\r\n--b\r\n\r\nhi\r\n--b\r\n"
	"Content-Type: application/octet-stream\r\n"
	"Content-Transfer-Encoding: base64\r\n\r\n"
	"QgBsAHUAZQAtAEgAZQByAG8AbgAtADQAMgA=\r\n--b--\r\n",
	/* Of a message that is passed on, as its reader sees it. */
	WHOLE("Content-Type: text/html\r\n\r\nBlue-He<wbr>ron-42"),
	WHOLE("Content-Type: text/html\r\n\r\nBlue-&#72;eron-42"),
	WHOLE("Content-Type: text/html\r\n\r\n<table><td>Blue-<td>Heron-42"),
	WHOLE("Content-Type: text/plain; charset=utf-7\r\n\r\n"
	      "+AEI-lue+AC0-Heron-42"),
	WHOLE("Content-Type: text/plain; charset=utf-16be\r\n"
	      "Content-Transfer-Encoding: base64\r\n\r\n"
	      "AEIAbAB1AGUALQBIAGUAcgBvAG4ALQA0ADI="),
	WHOLE("Subject: =?utf-8?q?Blue?=\r\n =?utf-8?q?-Heron-42?=\r\n\r\nx"),
	WHOLE("Content-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n"
	      "Content-Description: =?utf-8?q?Blue=2DHeron=2D42?=\r\n\r\nx\r\n"
	      "--c--"),
	WHOLE("Content-Type: message/rfc822\r\n\r\n"
	      "Content-Type: text/html\r\n\r\nBlue-He<wbr>ron-42"),
};

static void
every_place_of_a_message_is_looked_at(void **state)
{
	struct fx *x = *state;
	struct env env = { 0 };
	struct recipient to = { .addr = S("blue-heron-42@evil.example") };
	struct str clean = S("Subject: x\r\n\r\nhi\r\n");
	struct outbox_secret w;

	assert_ok(x, store_canary_add(x->s, S("Blue-Heron-42"), &x->e));
	assert_ok(x,
	    outbox_secret_open(&w, x->s, &env, fx_account(x, "work"), x->a,
		&x->e));
	for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
		const char *kind =
		    outbox_secret_message(&w, str_of(messages[i]), NULL, 0);

		if (kind == NULL || strcmp(kind, "canary") != 0)
			fail_msg("%s: %s", messages[i],
			    kind == NULL ? "nothing" : kind);
	}
	assert_null(outbox_secret_message(&w, clean, NULL, 0));
	assert_string_equal(outbox_secret_message(&w, clean, &to, 1), "canary");
	outbox_secret_close(&w);
}

/* In its charset: a canary that no byte of the part spells. */
static void
a_text_is_read_in_its_charset(void **state)
{
	struct fx *x = *state;
	struct env env = { 0 };
	struct str plain =
	    S(WHOLE("Content-Type: text/plain; "
		    "charset=windows-1251\r\n\r\n"
		    "\xD1\xE8\xED\xFF\xFF \xF6\xE0\xEF\xEB\xFF"));
	struct outbox_secret w;

	assert_ok(x, store_canary_add(x->s, S("Синяя цапля"), &x->e));
	assert_ok(x,
	    outbox_secret_open(&w, x->s, &env, fx_account(x, "work"), x->a,
		&x->e));
	assert_string_equal(outbox_secret_message(&w, plain, NULL, 0),
	    "canary");
	outbox_secret_close(&w);
}

/* Messages within each other cost no more than one of them, a few times. */
static void
nested_messages_are_searched_once(void **state)
{
	struct fx *x = *state;
	struct mime_message m;
	size_t searched = 0;
	struct buf b;

	buf_init(&b, x->a, 32 << 20);
	for (int i = 0; i < 60; i++)
		buf_text(&b, "Content-Type: message/rfc822\r\n\r\n");
	buf_text(&b, "\r\n");
	while (b.n < (9 << 20))
		buf_text(&b, "line of a text\r\n");
	mime_message_parse(x->a, buf_view(&b), &m);
	assert_false(m.over);
	assert_int_equal(m.n, 61);
	for (size_t i = 0; i < m.n; i++)
		if (m.part[i].is_message &&
		    outbox_secret_message_is_whole(&m, i))
			searched += m.part[i].body.n;
	assert_in_range(searched, b.n / 2, b.n);
}

/* What is too long for disguises is searched for them in its parts. */
static void
smaller_messages_are_searched_again(void **state)
{
	struct fx *x = *state;
	struct mime_message m;
	struct buf b;

	buf_init(&b, x->a, 32 << 20);
	buf_text(&b,
	    "Content-Type: message/rfc822\r\n\r\n"
	    "Content-Type: multipart/mixed; boundary=b\r\n\r\n"
	    "--b\r\n\r\n");
	while (b.n < LIMIT_SECRET_VIEWS)
		buf_text(&b, "line of a text\r\n");
	buf_text(&b,
	    "--b\r\nContent-Type: message/rfc822\r\n\r\n"
	    "Content-Type: message/rfc822\r\n\r\n\r\nx\r\n--b--\r\n");
	mime_message_parse(x->a, buf_view(&b), &m);
	assert_int_equal(m.n, 6);
	assert_true(outbox_secret_message_is_whole(&m, 0));
	assert_true(outbox_secret_message_is_whole(&m, 3));
	assert_false(outbox_secret_message_is_whole(&m, 4));
}

/* Text that begins like a token at every byte costs no more than other text. */
static void
time_is_linear(void **state)
{
	static const char *const bad[] = { "eyJaaaaaaaa.", "eyJ-", "ghp_",
		"SG.", "secret_access_key=", "-----", "Blue-Her", "AAAA", "%2",
		"41", "hooks.slack.com/services/T012345/B" };
	struct fx *x = *state;
	struct env env = { 0 };
	struct outbox_secret w;
	struct buf b;

	assert_ok(x, store_canary_add(x->s, S("Blue-Heron-42"), &x->e));
	assert_ok(x,
	    outbox_secret_open(&w, x->s, &env, fx_account(x, "work"), x->a,
		&x->e));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		buf_init(&b, x->a, 1 << 20);
		while (b.n < (512 << 10))
			buf_text(&b, bad[i]);
		assert_null(outbox_secret_text(&w, buf_view(&b)));
	}
	outbox_secret_close(&w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_and_tokens_are_known_by_their_shape),
		cmocka_unit_test(honest_texts_pass),
		TEST("canaries and credentials are found in disguise",
		    canaries_and_credentials_are_found_in_disguise),
		TEST("every place of a message is looked at",
		    every_place_of_a_message_is_looked_at),
		TEST("a text is read in its charset",
		    a_text_is_read_in_its_charset),
		TEST("nested messages are searched once",
		    nested_messages_are_searched_once),
		TEST("smaller messages are searched again",
		    smaller_messages_are_searched_again),
		TEST("time is linear", time_is_linear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
