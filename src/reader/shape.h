/* SPDX-License-Identifier: Apache-2.0 */
#ifndef READER_SHAPE_H
#define READER_SHAPE_H

/* The structs of html/ and mime/ that travel, with their caps. */
#include "mime/elsewhere.h"
#include "reader/carry.h"

/* page: the bytes that were read; nothing is counted more often than that. */
void shape_found(struct carry *c, struct html_found *f, size_t page, bool utf8);
/* shape_head.c */
void shape_head(struct carry *c, struct mime_head *h);
void shape_message(struct carry *c, struct mime_message *m);
/* Its attachments are parts of m. */
void shape_reading(struct carry *c, struct mime_reading *r,
    const struct mime_message *m);
/* shape_event.c */
void shape_event_calendar(struct carry *c, struct calendar *cal);
void shape_event_signature(struct carry *c, struct dkim_signature *s);

#endif
