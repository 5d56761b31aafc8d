/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MIME_ELSEWHERE_H
#define MIME_ELSEWHERE_H

/*
 * Where messages are read: here, or by a process that can do nothing else.  The
 * functions of this room that read what strangers wrote are called through this
 * table; each is described where it is declared.
 */
#include "mime/authres.h"
#include "mime/calendar.h"
#include "mime/heads.h"
#include "mime/message.h"

struct mime_reader {
	void (*heads)(struct arena *a, const struct str *head, size_t n,
	    struct str authserv_id, struct str *said);
	void (*head)(struct arena *a, struct str head, struct str said,
	    struct str authserv_id, struct mime_head *out);
	struct str (*decode)(struct arena *a, struct str body,
	    enum mime_encoding encoding);
	void (*message)(struct arena *a, struct str raw,
	    struct mime_message *out);
	void (*reading)(struct arena *a, const struct mime_message *m,
	    enum mime_part_choice want, struct mime_reading *out);
	void (*calendar)(struct arena *a, struct str bytes, struct str charset,
	    const struct calendar_zones *z, struct calendar *out);
	struct dkim_signature *(*dkim)(struct arena *a, struct str raw,
	    struct str from_domain, int64_t now_s, size_t *n, bool *bad);
	bool (*verify)(struct arena *a, const struct dkim_signature *s,
	    const struct strs *records);
	/* Bytes of a charset that iconv(3) has by that name, as UTF-8. */
	struct str (
	    *charset)(struct arena *a, const char *name, struct str bytes);
};

/* By this process itself: here.c. */
extern const struct mime_reader mime_here;
/* Whom the functions of this room ask; NULL: this process itself. */
extern const struct mime_reader *mime_elsewhere_by;
/* From now on they ask these, which must live as long. */
void mime_elsewhere(const struct mime_reader *by);

/*
 * Opens every charset that mail may name, and keeps it: for a process that will
 * open no file.
 */
void charset_convert_ahead(void);
/* charset.c: is it one of their names? */
bool mime_charset_known(struct str name);

#endif
