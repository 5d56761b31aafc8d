/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SOURCE_LATE_H
#define SOURCE_LATE_H

/* Libraries that are loaded when needed, and may be missing on this machine. */
#include "base/str.h"

struct late {
	struct str name;    /* "libcurl"; empty ends the list */
	struct str package; /* Debian's: "libcurl4" */
	struct str use;     /* "OAuth 2, JMAP, Gmail and Pony Mail" */
	const char *file;
};

extern const struct late late_list[];
/* Can it be loaded?  It stays loaded for the life of the process. */
bool late_there(const struct late *l);
/* The location of certificate authorities for TLS; NULL: there are none. */
const char *late_authorities(void);

#endif
