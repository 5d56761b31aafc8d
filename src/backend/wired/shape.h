/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_WIRED_SHAPE_H
#define BACKEND_WIRED_SHAPE_H

/* The fields of shapes, for the tables in shape.c and method.c. */
#include <stddef.h>

#include "backend/wired/internal.h"

#define ITEMS LIMIT_MBOX_MESSAGES /* of a list: the longest there is */
#define WORDS LIMIT_ARGV          /* of a text that an agent gives */
#define FLAGS (FLAG_READ | FLAG_ANSWERED | FLAG_ARCHIVED | FLAG_FLAGGED)

#define NUMBER(type, m, most)                                                  \
	{                                                                      \
		.kind = WIRED_NUMBER, .at = offsetof(type, m),                 \
		.size = sizeof(((type *)0)->m), .max = (most)                  \
	}
#define YES(type, m) NUMBER(type, m, 1)
#define SIGNED(type, m)                                                        \
	{                                                                      \
		.kind = WIRED_SIGNED, .at = offsetof(type, m),                 \
		.size = sizeof(((type *)0)->m)                                 \
	}
#define TEXT(type, m, most)                                                    \
	{                                                                      \
		.kind = WIRED_TEXT, .at = offsetof(type, m), .max = (most)     \
	}
#define PART(type, m, shape)                                                   \
	{                                                                      \
		.kind = WIRED_PART, .at = offsetof(type, m), .of = &(shape)    \
	}
#define ITEM_LIST(type, m, count, shape, most)                                 \
	{                                                                      \
		.kind = WIRED_LIST, .at = offsetof(type, m),                   \
		.n_at = offsetof(type, count), .max = (most), .of = &(shape)   \
	}
/* A struct of a list and its number, as all of them are: struct strs. */
#define LIST(type, m, shape, most)                                             \
	{                                                                      \
		.kind = WIRED_LIST, .at = offsetof(type, m),                   \
		.n_at = offsetof(type, m) + offsetof(struct strs, n),          \
		.max = (most), .of = &(shape)                                  \
	}
#define MAYBE(type, m, shape)                                                  \
	{                                                                      \
		.kind = WIRED_MAYBE, .at = offsetof(type, m), .of = &(shape)   \
	}
#define SHAPE(type, fields)                                                    \
	{                                                                      \
		sizeof(type), fields, sizeof(fields) / sizeof((fields)[0])     \
	}

#endif
