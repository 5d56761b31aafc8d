#ifndef BACKEND_INTERNAL_H
#define BACKEND_INTERNAL_H

/* The backends there are; each is defined in backend/<name>/<name>.c. */
#include "backend/backend.h"

extern const struct backend imap_backend;
extern const struct backend maildir_backend;
extern const struct backend smtp_backend; /* CAP_SUBMIT only: never read */

#endif
