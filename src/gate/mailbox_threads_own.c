/* The listing of a store with threads of its own. */
#include "base/limits.h"
#include "gate/thread.h"

static bool
is_listed(const struct mailbox_threads *l, struct str id)
{
	for (size_t i = 0; i < l->n; i++)
		if (str_eq(l->v[i].name.id, id))
			return true;
	return false;
}

/* Each is asked for whole. */
int
mailbox_threads_own(struct mailbox *m,
    const struct mailbox_thread_messages *found, struct mailbox_threads *out,
    struct err *e)
{
	struct mailbox_thread_name name = { .kind = thread_name_kind(m) };

	out->v = arena_array(m->arena, found->n, sizeof(*out->v));
	out->over = found->over;
	for (size_t i = 0; i < found->n; i++) {
		name.id = found->v[i].thread;
		if (name.id.n == 0 || is_listed(out, name.id))
			continue;
		if (out->n == LIMIT_PAGE) {
			out->over = true;
			break;
		}
		if (mailbox_thread(m, &name, &out->v[out->n], e) == 0)
			out->n++;
		else if (e->kind != ERR_NOT_FOUND)
			return -1;
		*e = (struct err){ 0 };
	}
	return 0;
}
