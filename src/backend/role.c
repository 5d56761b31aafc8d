/* SPDX-License-Identifier: Apache-2.0 */
/* The roles of folders in words. */
#include "backend/backend.h"

const char *
backend_role_name(enum folder_role role)
{
	switch (role) {
	case FOLDER_PLAIN:
		return "";
	case FOLDER_INBOX:
		return "inbox";
	case FOLDER_ALL:
		return "all";
	case FOLDER_ARCHIVE:
		return "archive";
	case FOLDER_DRAFTS:
		return "drafts";
	case FOLDER_FLAGGED:
		return "flagged";
	case FOLDER_IMPORTANT:
		return "important";
	case FOLDER_JUNK:
		return "junk";
	case FOLDER_SENT:
		return "sent";
	case FOLDER_TRASH:
		return "trash";
	}
	return "";
}
