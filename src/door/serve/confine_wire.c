/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What confines a wire.  One that speaks with a server has the network, and
 * the files with which it knows that server; one whose account's mail is in
 * files has these, and no network.  Each has a folder for its indexes.
 */
#include <stdlib.h>

#include "door/serve/keeper.h"

enum {
	FILES = 4 /* of a wire, at most */
};

struct confine_wire {
	struct arena *a;
	struct sandbox_path v[FILES];
	size_t n;
};

static void
serve_confine_wire_add(struct confine_wire *w, struct str path, bool write)
{
	if (path.n > 0 && !str_has_char(path, '\0'))
		w->v[w->n++] =
		    (struct sandbox_path){ str_c(w->a, path), write };
}

/*
 * The store says where the mail is, and a worker that was taken over can write
 * that.
 */
static void
serve_confine_wire_mail(struct confine_wire *w, const struct serve_account *x,
    const struct env *env)
{
	/* Archives are read; what is made of them is in the other folder. */
	bool write = !str_eq(x->backend, S("mbox"));

	serve_confine_wire_add(w, x->view.path, write);
	if (w->n > 0 && serve_confine_has_key(env, w->v[0].path, w->a))
		w->n = 0;
}

/* What sandbox_enter() tries is in the first of them. */
static enum sandbox_kind
serve_confine_wire_fill(struct confine_wire *w, const struct serve_account *x,
    const struct env *env)
{
	if (x->files)
		serve_confine_wire_mail(w, x, env);
	else
		serve_confine_wire_add(w, x->view.ca_file, false);
	serve_confine_wire_add(w, x->view.cache_dir, true);
	if (x->files)
		return SANDBOX_FILES;
	serve_confine_wire_add(w, str_of(getenv("SSL_CERT_FILE")), false);
	serve_confine_wire_add(w, str_of(getenv("SSL_CERT_DIR")), false);
	return SANDBOX_WIRE;
}

void
serve_confine_wire(const struct serve_account *x, const struct env *env,
    struct serve_board *b)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct confine_wire w = { .a = a };
	enum sandbox_kind kind = serve_confine_wire_fill(&w, x, env);

	serve_confine_as(kind, w.v, w.n, b);
}

uint64_t
serve_confine_wire_print(const struct serve_account *x, const struct env *env)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct confine_wire w = { .a = a };
	enum sandbox_kind kind = serve_confine_wire_fill(&w, x, env);

	return sandbox_paths_print(kind, w.v, w.n);
}
