/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connections that another process makes: a source then has the twins of its
 * backends, and no credentials.  In the broker that process also reads mail in
 * files of this machine.
 */
#include "backend/wired/wired.h"
#include "source/source.h"

/* An account's connections, by its number. */
struct source_wired {
	struct backend_wire wire;
	int64_t id;
};

static source_wire_lend *wire_lend;
static bool wire_files;
static void (*wire_uses)(int64_t account);

void
source_wire_by(source_wire_lend *lend, bool files)
{
	wire_lend = lend;
	wire_files = files;
}

void
source_wire_tell(void (*uses)(int64_t account))
{
	wire_uses = uses;
}

bool
source_wire_in_files(const struct source *src, bool sends)
{
	const struct backend *be = sends ? src->submitter : src->be;

	return be != NULL && be == src->be && src->acct.path.n > 0;
}

static bool
source_wire_is_for(const struct source *src, bool sends)
{
	const struct backend *be = sends ? src->submitter : src->be;

	return be != NULL && (wire_files || !source_wire_in_files(src, sends));
}

void
source_wire(struct source *src, struct arena *a)
{
	bool reads = source_wire_is_for(src, false);
	bool sends = source_wire_is_for(src, true);
	struct source_wired *w;

	if (wire_uses != NULL)
		wire_uses(src->acct.id);
	if (wire_lend == NULL || !(reads || sends))
		return;
	w = arena_new(a, struct source_wired);
	w->id = src->acct.id;
	w->wire.lend = wire_lend;
	w->wire.ctx = &w->id;
	src->view.wire = &w->wire;
	if (reads)
		src->be = wired_of(src->be);
	if (sends)
		src->submitter = wired_of(src->submitter);
}

bool
source_wire_is_lent(const struct source *src)
{
	return src->view.wire != NULL && src->be == wired_of(src->be);
}
