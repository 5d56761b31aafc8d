/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SKILL_TURN_ITEM_H
#define SKILL_TURN_ITEM_H

/* Shared by turn.c and the adapters, one per wire format. */
#include "skill/turn.h"

enum turn_kind {
	TURN_KIND_OTHER,
	TURN_KIND_USER,  /* has the user's role; a person's, unless synthetic */
	TURN_KIND_CALLS, /* may contain calls */
	TURN_KIND_RESULT, /* may contain results */
};

/* A call or a result, as found. */
struct turn_event {
	struct str id;
	size_t item, at;
	bool is_result;
	struct turn_call call;
	struct str content; /* a result's, unparsed */
};

struct turn_events {
	struct arena *a;
	struct turn_event *v;
	size_t n;
	size_t item; /* the one being read */
};

struct turn_adapter {
	const char *list; /* the member that contains the items */
	enum turn_kind (*kind)(struct str item);
	void (*read)(struct str item, struct turn_events *out);
	/* A step's calls are in one item. */
	bool one_step_an_item;
	/* May the provider have the earlier messages? */
	bool deltas;
};

extern const struct turn_adapter turn_openai, turn_responses, turn_anthropic;

/* turn_item.c.  A member that is a text, or "". */
struct str turn_item_text(struct arena *a, struct str v, struct str key);
bool turn_item_is(struct str v, struct str key, struct str value);
/* A member, unparsed, or "". */
struct str turn_item_raw(struct str v, struct str key);
/* Content that is one text, or one block with a text; else "". */
struct str turn_item_sole(struct arena *a, struct str content);
void turn_item_call(struct turn_events *ev, const struct turn_call *call);
/* Both unparsed. */
void turn_item_result(struct turn_events *ev, struct str id,
    struct str content);

#endif
