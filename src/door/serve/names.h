/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_SERVE_NAMES_H
#define DOOR_SERVE_NAMES_H

/*
 * A worker has no network, so a wire asks the name servers for it: for keys of
 * DKIM, and for nothing else.  Such a wire has no account.  A lease of it is
 * one question and its answer, a message each.
 */
#include "base/limits.h"
#include "source/dns.h"

#define SERVE_NAMES "dns" /* in place of a backend's name */

/* -- names.c: both ends ---------------------------------------------------- */

/* The worker's.  ERR_LIMIT: it has asked too much, or all others do. */
dns_key_asker serve_names_ask;
/* The wire's: answers until the keeper has ended. */
_Noreturn void serve_names_wire(int keeper);

/* Records as an answer: how many, and each after its length, in two bytes.
 * Empty: they are over LIMIT_NAMES_ANSWER. */
struct str serve_names_put(struct arena *a, const struct strs *texts);
/* False: it is not as it must be.  The texts are copied. */
bool serve_names_take(struct str answer, struct arena *a, struct strs *out);

/* -- names_may.c: the keeper counts ---------------------------------------- */

/* Of each worker, by its number, when it would have asked all that it may. */
struct serve_names_asked {
	struct serve_names_asker {
		uint32_t of;
		int64_t until_ms;
	} v[LIMIT_KEEPER_JOINED];
};

/*
 * May that worker ask once more?  LIMIT_NAMES_AT_ONCE, and one more each
 * LIMIT_NAMES_EACH_MS: what is asked tells whoever has the domain something.
 */
bool serve_names_may(struct serve_names_asked *x, uint32_t of, int64_t now_ms);

#endif
