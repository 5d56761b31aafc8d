/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_WARNING_H
#define GATE_WARNING_H

/*
 * The codes in data.warnings: a closed set.  A code is a hint, never a
 * permission, and each comes with its count (data.warning_counts).  To add one:
 * a name here, a row in warning.c; the manual follows.
 */
#include <stdint.h>

enum warning {
	/* Origin of the text. */
	WARN_FROM_HTML,
	WARN_TRUNCATED,
	WARN_BAD_CHARSET,
	/* HTML that a person would not see: left out, counted by element. */
	WARN_HIDDEN_DISPLAY,    /* display:none and similar */
	WARN_HIDDEN_VISIBILITY, /* visibility, opacity */
	WARN_HIDDEN_SIZE,       /* tiny or zero size, zero boxes */
	WARN_HIDDEN_COLOUR,     /* the colour of its background */
	WARN_HIDDEN_POSITION,   /* off-screen, clipped, overflow */
	WARN_HIDDEN_ATTRIBUTE,  /* the `hidden` attribute, aria tricks */
	WARN_HIDDEN_COMMENT,    /* words in comments, conditional ones too */
	WARN_HIDDEN_ALT,        /* words only in alt texts */
	WARN_STYLE_UNKNOWN,     /* CSS not understood: text left out */
	/* Characters left out. */
	WARN_UNSEEN_REMOVED,
	/* The alternatives say different things. */
	WARN_DIVERGENT,
	WARN_MBOX_AMBIGUOUS, /* the two ways to split it disagree */
	/* Links and images. */
	WARN_LINK_MISMATCH,  /* its text looks like another address */
	WARN_TRACKING_IMAGE, /* dropped */
	/* Attachments. */
	WARN_TYPE_MISMATCH,  /* declared type differs from first bytes */
	WARN_NAME_DECEPTIVE, /* direction marks, double extension */
	/* Invitations. */
	WARN_CALENDAR_ORGANIZER, /* it is not the sender */
	WARN_CALENDAR_DIFFERS,   /* from the text, or from another invitation */
	WARN_CALENDAR_LINK,      /* hides where it leads */
	/* Who sent it. */
	WARN_SENDER_DISPLAY, /* its name or comment contains another address */
	WARN_SENDER_LOOKALIKE,       /* mixed scripts or confusable domain */
	WARN_SENDER_UNAUTHENTICATED, /* authentication failed */
	WARN_LOOP, /* automatic mail (RFC 3834), or emcli's own */
	/* State. */
	WARN_NO_MESSAGE_ID,
	WARN_UIDVALIDITY_CHANGED,
	WARN_UIDVALIDITY_REMATCHED,
	WARN_NOT_SEARCHED, /* an account */
	/* Sending. */
	WARN_COPY_FAILED, /* sent, but no copy in Sent */
	WARN_DRAFT_UNATTACHED,
	WARNINGS /* how many there are */
};

struct warning_row {
	const char *code; /* "hidden_display" */
	const char *help; /* a sentence or two, for the manual */
};

extern const struct warning_row warning_table[WARNINGS];

#endif
