/* SPDX-License-Identifier: Apache-2.0 */
/* Events as they come: lines, events, and what they say. */
#include "backend/jmap/event.h"

#include "base/json.h"
#include "base/limits.h"

void
jmap_event_init(struct jmap_event *s, struct arena *a, struct str account)
{
	*s = (struct jmap_event){ .account = account };
	buf_init(&s->line, a, LIMIT_EVENT);
	buf_init(&s->data, a, LIMIT_EVENT);
}

static int
jmap_event_nonsense(struct err *e, const char *why)
{
	(void)err_set(e, ERR_NETWORK,
	    "the mail server's event cannot be understood");
	return err_because(e, "jmap: %s", why);
}

/* A StateChange, section 7.1: states by type, by account. */
static int
jmap_event_read_state(struct jmap_event *s, const struct json_value *v,
    struct err *e)
{
	const struct json_value *all = json_parse_member(v, "changed");
	const struct json_value *one;
	struct str key = { 0 };

	if (!json_parse_is_object(all))
		return jmap_event_nonsense(e, "a state event without changes");
	while ((one = json_parse_next(all, &key)) != NULL)
		if (str_eq(key, s->account))
			s->changed = json_parse_member(one, "Email") != NULL ||
			    json_parse_member(one, "Mailbox") != NULL;
	return 0;
}

static void
jmap_event_read_ping(struct jmap_event *s, const struct json_value *v)
{
	int64_t n;

	if (json_parse_int(json_parse_member(v, "interval"), &n) && n > 0)
		s->ping_s = n < LIMIT_WATCH_S ? n : LIMIT_WATCH_S;
}

/* An empty line: the event is whole. */
static int
jmap_event_end(struct jmap_event *s, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	struct err why = { 0 };

	if (!s->has_data)
		return 0;
	if (++s->n > LIMIT_EVENTS)
		return err_set(e, ERR_LIMIT,
		    "the mail server sends too many events");
	if (s->name == JMAP_EVENT_OTHER)
		return 0;
	if (json_parse_open(buf_view(&s->data), LIMIT_EVENT, &doc, &why) < 0)
		return jmap_event_nonsense(e, "an event is not JSON");
	if (s->name == JMAP_EVENT_STATE)
		return jmap_event_read_state(s, json_parse_root(doc), e);
	jmap_event_read_ping(s, json_parse_root(doc));
	return 0;
}

static void
jmap_event_read_field(struct jmap_event *s, struct str name, struct str value)
{
	if (str_eq(name, S("event"))) {
		s->name = str_eq(value, S("state")) ? JMAP_EVENT_STATE
		    : str_eq(value, S("ping"))      ? JMAP_EVENT_PING
						    : JMAP_EVENT_OTHER;
	} else if (str_eq(name, S("data"))) {
		if (s->has_data)
			buf_char(&s->data, '\n');
		s->has_data = true;
		buf_str(&s->data, value);
	}
}

static int
jmap_event_take_line(struct jmap_event *s, struct err *e)
{
	struct str line = buf_view(&s->line), name, value;
	int r;

	if (!s->begun && str_starts(line, S("\xef\xbb\xbf")))
		line = str_from(line, 3);
	s->begun = true;
	if (line.n == 0) {
		r = jmap_event_end(s, e);
		s->name = JMAP_EVENT_OTHER;
		s->has_data = false;
		buf_reset(&s->data);
		return r;
	}
	(void)str_cut(line, ':', &name, &value);
	if (str_starts(value, S(" ")))
		value = str_from(value, 1);
	jmap_event_read_field(s, name, value);
	return 0;
}

int
jmap_event_take(struct jmap_event *s, struct str part, struct err *e)
{
	for (size_t i = 0; i < part.n && !s->changed; i++) {
		char c = part.p[i];
		bool second = s->cr && c == '\n';

		s->cr = c == '\r';
		if (second)
			continue;
		if (c != '\r' && c != '\n')
			buf_char(&s->line, c);
		else if (!s->line.over && jmap_event_take_line(s, e) < 0)
			return -1;
		if (s->line.over || s->data.over)
			return err_set(e, ERR_LIMIT,
			    "the mail server's event is too long");
		if (c == '\r' || c == '\n')
			buf_reset(&s->line);
	}
	return 0;
}
