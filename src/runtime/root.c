/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/root.h"

#include "base/clock.h"
#include "base/limits.h"
#include "store/mark.h"

void
root_use(struct store *s, struct agentbox_use *out)
{
	*out = (struct agentbox_use){
		.deadline_ms = clock_mono_ms() + LIMIT_SESSION_ROOT_MS,
		.mac = store_mark_root,
		.fits = store_mark_root_fits,
		.mac_ctx = s,
	};
}

int
root_open(struct root *r, struct str path, bool make, struct store *s,
    struct arena *a, struct err *e)
{
	const char *at = str_c(a, path);

	*r = (struct root){ .a = a };
	root_use(s, &r->use);
	return make ? agentbox_root_make(at, &r->use, &r->box, e)
		    : agentbox_root_open(at, &r->use, &r->box, e);
}

void
root_close(struct root *r)
{
	agentbox_root_close(&r->box);
}

struct str
root_path(const struct root *r)
{
	return agentbox_root_path(r->box);
}

const struct strs *
root_notes(const struct root *r)
{
	static const struct strs none;

	return r->box == NULL ? &none : agentbox_root_notes(r->box);
}

int
root_register(struct root *r, const struct agentbox_claim *c,
    struct agentbox_claimed *out, struct err *e)
{
	return agentbox_register(r->box, c, r->a, out, e);
}

int
root_end(struct root *r, struct str address, bool purge, struct err *e)
{
	return agentbox_register_end(r->box, address, purge, e);
}

int
root_find(struct root *r, struct str address, struct agentbox_reg *out,
    struct err *e)
{
	return agentbox_register_find(r->box, address, r->a, out, e);
}

int
root_list(struct root *r, struct agentbox_regs *out, struct err *e)
{
	return agentbox_register_list(r->box, r->a, out, e);
}

int
root_clean(struct root *r, const struct agentbox_clean *c,
    struct agentbox_cleaned *out, struct err *e)
{
	return agentbox_clean(r->box, c, r->a, out, e);
}

int
root_clear(struct root *r, const struct agentbox_clear *c,
    struct agentbox_cleared *out, struct err *e)
{
	return agentbox_clear(r->box, c, r->a, out, e);
}

int
root_import(struct root *r, struct str from, struct agentbox_ported *out,
    struct err *e)
{
	return agentbox_import(r->box, str_c(r->a, from), r->a, out, e);
}

int
root_export(struct root *r, struct str to, unsigned protocol,
    struct agentbox_ported *out, struct err *e)
{
	return agentbox_export(r->box, str_c(r->a, to), protocol, r->a, out, e);
}

int
root_look(struct str path, struct store *s, struct arena *a,
    struct agentbox_look *out, struct err *e)
{
	struct agentbox_use use;

	root_use(s, &use);
	return agentbox_look(str_c(a, path), &use, a, out, e);
}

int
root_repair(struct str path, struct store *s, struct arena *a,
    struct agentbox_report *out, struct err *e)
{
	struct agentbox_use use;

	root_use(s, &use);
	return agentbox_repair(str_c(a, path), &use, a, out, e);
}
