/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MIME_READING_H
#define MIME_READING_H

/* Shared by the files that choose a message's text. */
#include "base/limits.h"
#include "mime/internal.h"

enum reading_role {
	READING_NONE, /* a container, or within an attached message */
	READING_TEXT, /* read */
	READING_FILE, /* an attachment */
	READING_LEFT, /* an alternative that was not chosen */
};

struct reading_plan {
	const struct mime_message *m;
	size_t end[LIMIT_MIME_PARTS];  /* after the last part within */
	size_t nth[LIMIT_MIME_PARTS];  /* its number among its siblings */
	size_t root[LIMIT_MIME_PARTS]; /* of a multipart/related */
	unsigned char role[LIMIT_MIME_PARTS];
};

/* Text leaves as they are read, decoded when first asked for. */
struct reading_texts {
	struct arena *a;
	const struct mime_message *m;
	struct str *v;
	struct html_found *found; /* of each */
	unsigned char *state;     /* what is known of each */
	size_t room[2];    /* what is left of LIMIT_MIME_TEXT, plain and HTML */
	size_t comparable; /* bytes that may still be compared */
	struct mime_reading *out;
};

/* reading.c */
bool reading_type_is_html(const struct mime_part *p);
/* Is it a container of that type? */
bool reading_type_is(const struct mime_part *p, const char *type);

/* reading_text.c */
void reading_text_init(struct reading_texts *t, struct arena *a,
    const struct mime_message *m, struct mime_reading *out);
struct str reading_text(struct reading_texts *t, size_t i);
/* Is there anything to read in it, but white space of one kind or another? */
bool reading_text_speaks(struct reading_texts *t, size_t i);

/*
 * reading_choice.c.  Leaves every alternative but one: the one asked for where
 * there is a choice.  True when alternatives say different things.
 */
bool reading_choice_make(struct reading_plan *pl, struct reading_texts *t,
    enum mime_part_choice want);

#endif
