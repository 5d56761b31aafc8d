/* Which account plays which part, and what each can do. */
#include "door/admin/sources.h"
#include "desk/source_known.h"
#include "door/out.h"

enum {
	COLUMNS = 6
};

static struct str
sources_or_dash(struct str s)
{
	return s.n > 0 ? s : S("-");
}

/* With blanks between, as source list has them. */
static struct str
sources_preferred(struct arena *a, unsigned prefers)
{
	struct buf b;

	buf_init(&b, a, 512);
	for (enum role_op op = 0; op < ROLE_OPS; op++)
		if (prefers & 1U << op)
			buf_fmt(&b, "%s%s", b.n > 0 ? " " : "",
			    role_op_name(op));
	return buf_view(&b);
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

	if (source_known_load(c->store, c->arena, &v, &n, e) < 0)
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
		cell[4] =
		    sources_or_dash(sources_preferred(c->arena, v[i].prefers));
		cell[5] = sources_or_dash(source_known_cannot(c->arena, &v[i]));
		rows[i + 1].cell = cell;
	}
	out_table(c->out, rows, n + 1, COLUMNS);
	return 0;
}
