/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What became of a submission: EmailSubmission/get, RFC 8621 section 7.  The
 * server has accepted the message already, so all that goes wrong here is
 * ignored, except that the server says it will not send it.
 */
#include "backend/jmap/internal.h"
#include "backend/jmap/put.h"
#include "base/said.h"

/* The server's words for one recipient, if it has given up on it. */
static void
jmap_submitted_read_one(struct arena *a, const struct json_value *v,
    struct recipient *to)
{
	struct str delivered = { 0 }, reply = { 0 };
	char words[120];

	if (!json_parse_str(json_parse_member(v, "delivered"), &delivered))
		return;
	if (str_eq(delivered, S("yes")))
		to->status = S("delivered");
	if (!str_eq(delivered, S("no")))
		return;
	(void)json_parse_str(json_parse_member(v, "smtpReply"), &reply);
	said_clean(words, sizeof(words), reply);
	to->status = str_fmt(a, "not delivered: %s", words);
}

static int
jmap_submitted_read(struct arena *a, const struct json_value *v,
    struct submission *s, struct err *e)
{
	const struct json_value *all = json_parse_member(v, "deliveryStatus");
	struct str undo = { 0 };

	(void)json_parse_str(json_parse_member(v, "undoStatus"), &undo);
	if (str_eq(undo, S("canceled"))) {
		for (size_t i = 0; i < s->n; i++) {
			s->to[i].code = 550;
			s->to[i].status = S("cancelled by the mail server");
		}
		return err_set(e, ERR_REJECTED,
		    "the mail server cancelled the message; nothing was sent");
	}
	for (size_t i = 0; i < s->n; i++)
		jmap_submitted_read_one(a,
		    json_parse_member(all, str_c(a, s->to[i].addr)), &s->to[i]);
	return 0;
}

int
jmap_submitted(struct jmap *j, struct arena *a, struct str id,
    struct submission *s, struct err *e)
{
	static const char *const properties[] = { "id", "undoStatus",
		"deliveryStatus" };
	CLEANUP(jmap_call_done) struct jmap_call c = { 0 };
	const struct json_value *args;
	struct err ignored = { 0 };
	size_t i;

	jmap_call_begin(j, a, &c);
	i = jmap_call_open(&c, "EmailSubmission/get", j->session.sender);
	json_open_array(c.out, "ids");
	json_put_str(c.out, NULL, id);
	json_close_array(c.out);
	json_open_array(c.out, "properties");
	for (size_t k = 0; k < sizeof(properties) / sizeof(*properties); k++)
		json_put_text(c.out, NULL, properties[k]);
	json_close_array(c.out);
	jmap_call_close(&c);
	if (jmap_call_send(&c, &ignored) < 0 ||
	    jmap_call_take(&c, i, &args, &ignored) < 0)
		return 0;
	return jmap_submitted_read(a,
	    json_parse_item(json_parse_member(args, "list"), 0), s, e);
}
