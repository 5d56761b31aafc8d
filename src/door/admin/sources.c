/* emcli source list: which account plays which part, and what each can do. */
#include "door/admin/sources.h"
#include "base/json.h"
#include "door/out.h"
#include "gate/sources.h"

enum {
	COLUMNS = 6
};

const struct arg_spec sources_list_args[] = {
	{ .name = "json", .type = ARG_FLAG, .help = "JSON instead of a table" },
	{ 0 },
};

static struct str
or_dash(struct str s)
{
	return s.n > 0 ? s : S("-");
}

/* The operations it cannot do; of those with "?" nobody could be asked. */
static struct str
cannot_text(struct arena *a, const struct role_source *s)
{
	struct buf b;

	buf_init(&b, a, 512);
	for (enum role_op op = 0; op < ROLE_OPS; op++) {
		bool open = roster_is_open(s, op);

		if (open || roster_why(s, op) != NULL)
			buf_fmt(&b, "%s%s%s", b.n > 0 ? ", " : "",
			    role_op_name(op), open ? "?" : "");
	}
	return buf_view(&b);
}

/* The accounts, with what is open about those that play a part settled, or
 * about all where none does. */
int
sources_load(struct admin_call *c, struct role_source **out, size_t *n,
    struct err *e)
{
	struct roster r = { .store = c->store, .a = c->arena };
	bool declared;

	if (source_timeout(c->store, c->arena, &r.timeout_ms, e) < 0 ||
	    sources_roster(c->store, c->arena, out, n, e) < 0)
		return -1;
	declared = roster_declared(*out, *n);
	for (size_t i = 0; i < *n; i++)
		if (!declared || (*out)[i].role != ROLE_NONE)
			roster_settle(&r, &(*out)[i]);
	return 0;
}

int
sources_table(struct admin_call *c, struct err *e)
{
	static const struct str head[COLUMNS] = { SI("NAME"), SI("BACKEND"),
		SI("ROLE"), SI("MANDATORY"), SI("PREFERRED-FOR"),
		SI("CANNOT") };
	struct role_source *v;
	struct out_row *rows;
	size_t n;

	if (sources_load(c, &v, &n, e) < 0)
		return -1;
	rows = arena_array(c->arena, n + 1, sizeof(*rows));
	rows[0].cell = head;
	for (size_t i = 0; i < n; i++) {
		struct str *cell =
		    arena_array(c->arena, COLUMNS, sizeof(*cell));

		cell[0] = v[i].name;
		cell[1] = v[i].backend;
		cell[2] = str_of(role_name(v[i].role));
		cell[3] = v[i].mandatory ? S("yes") : S("no");
		cell[4] = or_dash(role_ops_text(c->arena, v[i].prefers));
		cell[5] = or_dash(cannot_text(c->arena, &v[i]));
		rows[i + 1].cell = cell;
	}
	out_table(c->out, rows, n + 1, COLUMNS);
	return 0;
}

int
sources_list(struct admin_call *c, struct err *e)
{
	struct role_source *v;
	struct json *j;
	size_t n;

	if (!args_has(c->args, "json"))
		return sources_table(c, e);
	if (sources_load(c, &v, &n, e) < 0)
		return -1;
	j = json_new(c->arena);
	json_open_object(j, NULL);
	json_open_array(j, "sources");
	for (size_t i = 0; i < n; i++) {
		json_open_object(j, NULL);
		roster_put(j, &v[i]);
		roster_put_can(j, &v[i]);
		json_close_object(j);
	}
	json_close_array(j);
	json_close_object(j);
	out_json(c->out, c->arena, j);
	return 0;
}
