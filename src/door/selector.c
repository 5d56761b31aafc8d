/* SPDX-License-Identifier: Apache-2.0 */
/* Several mailboxes under one set of tools: finds the one that is meant. */
#include "door/selector.h"

#include "base/buf.h"
#include "door/out.h"

enum {
	SAY_MAX = 16 << 10
};

static struct str
selector_list(struct arena *a, const struct strs *l)
{
	struct buf b;

	buf_init(&b, a, SAY_MAX);
	for (size_t i = 0; i < l->n; i++)
		buf_fmt(&b, "%s%.*s", i > 0 ? ", " : "", STR_ARG(l->v[i]));
	return l->n > 0 ? buf_view(&b) : S("none");
}

/* "Work", "Work #2": by name, in order of appearance. */
static struct str
selector_label(struct arena *a, const struct selector *s,
    const struct strs *so_far, size_t i)
{
	struct str name = str_trim(s->box[i].name), with;

	if (name.n == 0)
		name = str_fmt(a, "Email %zu", i + 1);
	with = name;
	for (size_t k = 2; str_among_case(so_far, with); k++)
		with = str_fmt(a, "%.*s #%zu", STR_ARG(name), k);
	return with;
}

/* The label of a mailbox without an address. */
static struct str
selector_row_address(const struct boxes_row *r)
{
	return r->address.n > 0 ? r->address : r->name;
}

struct str
selector_address(const struct selector *s, struct str account)
{
	for (size_t i = 0; i < s->n; i++)
		if (str_eq(s->box[i].name, account))
			return selector_row_address(&s->box[i]);
	return account;
}

void
selector_init(struct selector *s, struct arena *a, struct boxes_row *v,
    size_t n, bool by_label, bool always)
{
	struct strs *l = &s->shown.labels;

	*s = (struct selector){ .box = v, .n = n, .by_label = by_label };
	if (n < 2 && !always)
		return;
	for (size_t i = 0; i < n; i++) {
		struct str name = by_label ? selector_label(a, s, l, i)
					   : selector_row_address(&v[i]);

		str_push(a, &s->called, name);
		if (!str_among_case(l, name))
			str_push(a, l, name);
	}
	s->shown.optional = n < 2;
	s->shown.help = by_label
	    ? str_fmt(a, "Mailbox alias to use. Available aliases: %.*s.",
		  STR_ARG(selector_list(a, l)))
	    : str_fmt(a,
		  "Mailbox email address to use. Available addresses: %.*s.",
		  STR_ARG(selector_list(a, l)));
}

struct str
selector_prefix(const struct selector *s, struct arena *a)
{
	const struct boxes_row *one = s->box;
	struct str account;

	if (s->shown.labels.n > 0)
		return str_fmt(a,
		    "[Multi-mailbox email, select a mailbox %s.] ",
		    s->by_label ? "alias" : "email address");
	if (s->n == 0)
		return S("");
	account = one->from.n > 0 ? one->from : one->username;
	if (account.n == 0)
		return str_fmt(a, "[Mailbox: %.*s] ", STR_ARG(one->name));
	return str_fmt(a, "[Mailbox: %.*s; account: %.*s] ", STR_ARG(one->name),
	    STR_ARG(account));
}

struct str
selector_describe(const struct selector *s, const struct op *op,
    struct arena *a)
{
	struct str prefix = S("");

	if (op->needs & NEED_ACCOUNT)
		prefix = selector_prefix(s, a);
	return str_fmt(a, "%.*s%s", STR_ARG(prefix), op->summary);
}

bool
selector_describes(const struct op *op, struct str text)
{
	struct str summary = str_of(op->summary), prefix;

	if (!str_ends(text, summary))
		return false;
	prefix = str_first(text, text.n - summary.n);
	return prefix.n == 0 ||
	    ((op->needs & NEED_ACCOUNT) &&
		(str_starts(prefix, S("[Mailbox: ")) ||
		    str_starts(prefix, S("[Multi-mailbox email, "))) &&
		str_ends(prefix, S("] ")));
}

static bool
selector_is_called(const struct selector *s, size_t i, struct str value)
{
	return str_eq_case(s->called.v[i], value);
}

/* Other names of a mailbox, accepted if no label matches. */
static bool
is_known_as(const struct selector *s, size_t i, struct str value)
{
	return !s->by_label &&
	    (str_eq_case(s->box[i].username, value) ||
		str_eq_case(s->box[i].from, value));
}

/* The number of matches; *found is the last of them. */
static size_t
selector_count(const struct selector *s, struct str value,
    bool (*is)(const struct selector *s, size_t i, struct str value),
    const struct boxes_row **found)
{
	size_t n = 0;

	for (size_t i = 0; value.n > 0 && i < s->n; i++)
		if (is(s, i, value)) {
			*found = &s->box[i];
			n++;
		}
	return n;
}

const struct boxes_row *
selector_find(const struct selector *s, struct arena *a, struct str value,
    struct str *say)
{
	const struct boxes_row *found = NULL;
	struct str all;
	size_t n;

	if (s->shown.labels.n == 0)
		return s->box;
	value = str_trim(value);
	if (s->shown.optional && value.n == 0)
		return s->box;
	n = selector_count(s, value, selector_is_called, &found);
	if (n == 0)
		n = selector_count(s, value, is_known_as, &found);
	if (n == 1)
		return found;
	all = selector_list(a, &s->shown.labels);
	value = value.n > 0 ? str_first(value, 200) : S("<empty>");
	*say = n == 0
	    ? str_fmt(a,
		  "Unknown mailbox '%.*s'. Available mailbox values: %.*s.",
		  STR_ARG(value), STR_ARG(all))
	    : str_fmt(a,
		  "Ambiguous mailbox '%.*s'. Use one of these email "
		  "addresses: %.*s.",
		  STR_ARG(value), STR_ARG(all));
	return NULL;
}

struct selector_opts
selector_opts(const struct args *args)
{
	return (struct selector_opts){
		.by_label = str_eq(args_text(args, "selector"), S("alias")),
		.always = args_has(args, "selector_always"),
	};
}

int
selector_open(struct selector *s, struct gate *g, struct arena *a,
    const struct selector_opts *o, struct err *e)
{
	struct boxes_row *v;
	size_t n, kept = 0;

	*s = (struct selector){ 0 };
	if (boxes_list(g, a, &v, &n, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (v[i].ready) {
			v[kept++] = v[i];
			continue;
		}
		if (o->quiet)
			continue;
		(void)fprintf(stderr,
		    "emcli: warning: %.*s is left out: it has no credentials\n",
		    STR_ARG(out_line(a, v[i].name)));
	}
	if (kept == 0)
		return err_set(e, ERR_CONFIG, "there is no usable mailbox");
	selector_init(s, a, v, kept, o->by_label, o->always);
	return 0;
}

struct str
selector_map(const struct selector *s, struct arena *a)
{
	struct buf b;

	buf_init(&b, a, SAY_MAX);
	for (size_t i = 0; s->shown.labels.n > 1 && i < s->n; i++)
		buf_fmt(&b, "%s%.*s (sending: %s, label: %.*s)",
		    i > 0 ? "; " : "Email mailbox map: ",
		    STR_ARG(s->called.v[i]),
		    s->box[i].sends ? "enabled" : "disabled",
		    STR_ARG(s->box[i].name));
	if (b.n > 0)
		buf_char(&b, '.');
	return buf_view(&b);
}
