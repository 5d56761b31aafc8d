/* SPDX-License-Identifier: Apache-2.0 */
/* Gmail's answers: headers, structures, bytes, batches, refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "backend/gmail/internal.h"

static struct json_doc *
parse(const char *text)
{
	struct json_doc *d = NULL;
	struct err e = { 0 };

	if (json_parse_open(str_of(text), 1 << 20, &d, &e) < 0)
		fail_msg("%s: %s", e.say, text);
	return d;
}

#define FROM(value) "[{\"name\":\"From\",\"value\":\"" value "\"}]"

static const struct {
	const char *json, *head;
	bool odd;
} heads[] = {
	{ FROM("a@b.example"), "From: a@b.example\r\n\r\n", false },
	{ FROM("Ann <a@b.example>"), "From: Ann <a@b.example>\r\n\r\n", false },
	{ FROM("J. Gr\xc3\xbcn <a@b.example>"),
	    "From: J. Gr\xc3\xbcn <a@b.example>\r\n\r\n", false },
	{ FROM("\\\"Doe, Ann\\\" <a@b.example>"),
	    "From: \"Doe, Ann\" <a@b.example>\r\n\r\n", false },
	/* Headers that decoding of an encoded word may have changed. */
	{ FROM("Doe, Ann <a@b.example>"), NULL, true },
	{ FROM("ann@good.example ( <eve@evil.example> ())"), NULL, true },
	{ FROM("ann@good.example (: eve@evil.example; ())"), NULL, true },
	{ FROM("(x) ann@good.example"), NULL, true },
	{ FROM("<ann@good.example>, <eve@evil.example>"), NULL, true },
	{ FROM("\\\"x\\\\\\\" <a@b.example>"), NULL, true },
	{ FROM("\\\"x <a@b.example>"), NULL, true },
	{ FROM("<a@b.example> x"), NULL, true },
	{ FROM("a@b.example, c@d.example"), NULL, true },
	/* No value can end its line. */
	{ "[{\"name\":\"subject\",\"value\":\"a\\r\\nFrom: e@e\\nx\\ry\"}]",
	    "subject: a  From: e@e x y\r\n\r\n", false },
	/* Names in any case, in their order, and only the needed ones. */
	{ "[{\"name\":\"RECEIVED\",\"value\":\"r\"},{\"name\":\"X\",\"value\":"
	  "\"y\"},{\"name\":\"TO\",\"value\":\"t\"},{\"name\":\"dAte\","
	  "\"value\":\"d\"}]",
	    "RECEIVED: r\r\nTO: t\r\ndAte: d\r\n\r\n", false },
	/* Invalid names. */
	{ "[{\"name\":\"From:\",\"value\":\"x\"}]", NULL, true },
	{ "[{\"name\":\"From \",\"value\":\"x\"}]", NULL, true },
	{ "[{\"name\":\"\",\"value\":\"x\"}]", NULL, true },
	{ "[{\"name\":7,\"value\":\"x\"}]", NULL, true },
	{ "[{\"name\":\"To\"}]", NULL, true },
	{ "[{}]", NULL, true },
	{ "[]", NULL, true },
	{ "{}", NULL, true },
};

static void
a_header_is_its_fields_or_read_elsewhere(void **state)
{
	struct arena *a = arena_open(1 << 20);

	(void)state;
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		struct json_doc *d = parse(heads[i].json);
		bool odd = false;
		struct str head = gmail_head(a, json_parse_root(d), true, &odd);

		if (odd != heads[i].odd ||
		    (!odd && !str_eq(head, str_of(heads[i].head))))
			fail_msg("%s", heads[i].json);
		json_parse_close(&d);
	}
	arena_close(&a);
}

#define PART(type, more) "{\"mimeType\":\"" type "\"" more "}"
#define PARTS(...) ",\"parts\":[" __VA_ARGS__ "]"
#define MARKED                                                                 \
	",\"headers\":[{\"name\":\"content-disposition\",\"value\":"           \
	"\"Attachment; x\"}]"

static const struct {
	const char *json;
	bool files;
} shapes[] = {
	{ PART("text/plain", ""), false },
	{ PART("text/calendar", ""), false },
	{ PART("application/pdf", ""), true },
	{ PART("text/plain", MARKED), true },
	{ PART("multipart/alternative",
	      PARTS(PART("text/plain", "") "," PART("text/html", ""))),
	    false },
	{ PART("multipart/mixed",
	      PARTS(PART("text/plain", "") "," PART("text/plain",
		  ",\"filename\":\"a.txt\""))),
	    true },
	{ PART("multipart/mixed",
	      PARTS(PART("text/plain", ",\"filename\":\"a.txt\""))),
	    false },
	{ PART("multipart/related",
	      PARTS(PART("text/html", "") "," PART("image/png", ""))),
	    true },
	{ PART("multipart/mixed",
	      PARTS(PART("multipart/alternative",
		  PARTS(
		      PART("text/plain", "") "," PART("text/calendar", ""))))),
	    true },
	{ PART("multipart/mixed", PARTS("7,null,[]")), false },
	{ PART("multipart/mixed", ",\"parts\":{}"), false },
	{ "{}", false },
	{ "[]", false },
};

static void
a_structure_tells_of_attachments(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		struct json_doc *d = parse(shapes[i].json);

		if (gmail_files(json_parse_root(d)) != shapes[i].files)
			fail_msg("%s", shapes[i].json);
		json_parse_close(&d);
	}
}

static const struct {
	const char *raw;
	size_t max;
	const char *bytes; /* NULL: `kind` */
	enum err_kind kind;
} raws[] = {
	{ "QQ==", 1, "A", ERR_NONE },
	{ "QQ", 1, "A", ERR_NONE },
	{ "fn5-_34_", 6, "~~~\xff~?", ERR_NONE },
	{ "", 0, "", ERR_NONE },
	{ "QUE=", 1, NULL, ERR_LIMIT },
	{ "QUFBQUFBQUFBQUFB", 1, NULL, ERR_LIMIT },
	{ "fn5+", 9, NULL, ERR_NETWORK },
	{ "fn5/", 9, NULL, ERR_NETWORK },
	{ "Q Q=", 9, NULL, ERR_NETWORK },
	{ "QUF\\r\\nB", 9, NULL, ERR_NETWORK },
	{ "Q", 9, NULL, ERR_NETWORK },
	{ "QR", 9, NULL, ERR_NETWORK },
	{ "QUE=QUE=", 9, NULL, ERR_NETWORK },
	{ "Q\xc3\xbc==", 9, NULL, ERR_NETWORK },
};

static void
bytes_are_strict_base64url(void **state)
{
	struct arena *a = arena_open(1 << 20);

	(void)state;
	for (size_t i = 0; i < sizeof(raws) / sizeof(raws[0]); i++) {
		struct str json = str_fmt(a, "{\"raw\":\"%s\"}", raws[i].raw);
		struct str got = { 0 };
		struct err e = { 0 };
		int r = gmail_read_raw(a, json, raws[i].max, NULL, &got, &e);

		if ((r == 0) != (raws[i].bytes != NULL) ||
		    (r == 0 && !str_eq(got, str_of(raws[i].bytes))) ||
		    (r < 0 && e.kind != raws[i].kind))
			fail_msg("%s: %d", raws[i].raw, (int)e.kind);
	}
	arena_close(&a);
}

#define ANSWER(id, status, more)                                               \
	"Content-Type: application/http\r\nContent-ID: <response-m" id         \
	">\r\n\r\nHTTP/1.1 " status                                            \
	"\r\nContent-Type: application/json\r\n" more "\r\n{\"a\":" id "}\r\n"

static void
a_batch_is_read_part_by_part(void **state)
{
	struct gmail_parts p = { 0 };
	struct gmail_part one;

	(void)state;
	assert_true(gmail_part_open(&p, S("multipart/mixed; boundary=\"x y\""),
	    S("before\r\n--x y\r\n" ANSWER("1", "200 OK",
		"") "--x y\r\n" ANSWER("0", "429 No",
		"retry-after: 12\r\n") "--x y--\r\nbehind\r\n--x "
				       "y\r\n" ANSWER("2", "200 OK", ""))));
	assert_int_equal(gmail_part_next(&p, &one), 1);
	assert_true(one.at == 1 && one.status == 200);
	assert_true(str_eq(one.body, S("{\"a\":1}")));
	assert_int_equal(gmail_part_next(&p, &one), 1);
	assert_true(one.at == 0 && one.status == 429);
	assert_int_equal(one.retry_after_s, 12);
	assert_int_equal(gmail_part_next(&p, &one), 0);
}

static const struct {
	const char *type, *body;
} wrongs[] = {
	{ "multipart/mixed; boundary=x", "" },
	{ "multipart/mixed; boundary=x", "--y\r\n--y--\r\n" },
	{ "multipart/mixed; boundary=x", "--x\r\n" },
	{ "multipart/mixed; boundary=x", "--x\r\n" ANSWER("1", "200 OK", "") },
	{ "multipart/mixed; boundary=x", "--x\r\n\r\n--x--\r\n" },
	{ "multipart/mixed; boundary=x",
	    "--x\r\n" ANSWER("-1", "200 OK", "") "--x--\r\n" },
	{ "multipart/mixed; boundary=x",
	    "--x\r\n" ANSWER("99999999999", "200 OK", "") "--x--\r\n" },
	{ "multipart/mixed; boundary=x",
	    "--x\r\n" ANSWER("1", "2000 OK", "") "--x--\r\n" },
	{ "multipart/mixed; boundary=x",
	    "--x\r\n" ANSWER("1", "OK", "") "--x--\r\n" },
	{ "multipart/mixed; boundary=x",
	    "--x\r\nContent-ID: <m1>\r\n\r\nHTTP/1.1 200 OK\r\n\r\n{}\r\n"
	    "--x--\r\n" },
	{ "multipart/mixed; boundary=\"\"", "--\r\n" },
	{ "multipart/mixed", "--x\r\n" },
	{ "application/json; boundary=x", "--x\r\n" },
	{ "", "" },
};

static void
what_is_no_batch_is_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
		struct gmail_parts p = { 0 };
		struct gmail_part one;

		if (gmail_part_open(&p, str_of(wrongs[i].type),
			str_of(wrongs[i].body)) &&
		    gmail_part_next(&p, &one) != -1)
			fail_msg("%zu", i);
	}
}

#define REASON(r) "{\"error\":{\"errors\":[{\"reason\":\"" r "\"}]}}"

static const struct {
	int status;
	const char *body;
	int64_t wait;
	enum err_kind kind;
	const char *says;
} faults[] = {
	{ 429, "", 0, ERR_LIMIT, "emcli does not retry" },
	{ 429, "{}", 12, ERR_LIMIT, "wait 12 s" },
	{ 403, REASON("rateLimitExceeded"), 3, ERR_LIMIT, "wait 3 s" },
	{ 403, REASON("userRateLimitExceeded"), 0, ERR_LIMIT, "quota" },
	{ 403, REASON("dailyLimitExceeded"), 0, ERR_LIMIT, "day" },
	{ 403, REASON("domainPolicy"), 0, ERR_AUTH, "domain" },
	{ 403, REASON("insufficientPermissions"), 0, ERR_AUTH, "consent" },
	{ 403, REASON("accessNotConfigured"), 0, ERR_CONFIG, "API" },
	{ 403, "<html>", 0, ERR_AUTH, "refused" },
	{ 401, REASON("authError"), 0, ERR_AUTH, "token" },
	{ 404, REASON("notFound"), 0, ERR_NOT_FOUND, "no such" },
	{ 400, REASON("failedPrecondition"), 0, ERR_CONFIG, "mailbox" },
	{ 400, "{\"error\":[]}", 0, ERR_NETWORK, "400" },
	{ 500, "", 0, ERR_NETWORK, "500" },
	{ 503, "{", 7, ERR_NETWORK, "wait 7 s" },
	{ 302, "", 0, ERR_NETWORK, "302" },
};

static void
a_refusal_means_something(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		struct err e = { 0 };

		assert_int_equal(gmail_fault(faults[i].status,
				     str_of(faults[i].body), faults[i].wait,
				     &e),
		    -1);
		if (e.kind != faults[i].kind ||
		    strstr(e.say, faults[i].says) == NULL)
			fail_msg("%d %s: %s", faults[i].status, faults[i].body,
			    e.say);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_header_is_its_fields_or_read_elsewhere),
		cmocka_unit_test(a_structure_tells_of_attachments),
		cmocka_unit_test(bytes_are_strict_base64url),
		cmocka_unit_test(a_batch_is_read_part_by_part),
		cmocka_unit_test(what_is_no_batch_is_refused),
		cmocka_unit_test(a_refusal_means_something),
	};

	return cmocka_run_group_tests_name("gmail/read", tests, NULL, NULL);
}
