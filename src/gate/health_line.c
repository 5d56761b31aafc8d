/* SPDX-License-Identifier: Apache-2.0 */
/* A line of the report, and whether it may be one for the operator. */
#include "gate/health.h"
#include "gate/health_report.h"
#include "gate/internal.h"
#include "gate/trace.h"

void
health_line_put(struct health *h, const struct health_line *line)
{
	h->v = arena_grow(h->call->arena, h->v, h->n * sizeof(*h->v),
	    (h->n + 1) * sizeof(*h->v));
	h->v[h->n++] = *line;
}

bool
health_line_operator(struct call *c)
{
	return gate_trace_may(c->gate->env, c->gate->store);
}
