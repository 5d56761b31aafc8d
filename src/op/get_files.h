/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OP_GET_FILES_H
#define OP_GET_FILES_H

/* The attachments of `get`: shown, listed, or written to a folder. */
#include "gate/attach_save.h"
#include "gate/gate.h"
#include "mime/message.h"

extern const struct field get_files_fields[];

/* Does that value of --attachments name a folder? */
bool get_files_is_folder(struct str how);
/* Puts data.attachments, and warns; saver only if `how` names a folder. */
int get_files_put(struct call *c, struct json *out,
    const struct mime_reading *r, struct str how, struct attach_save *saver,
    struct err *e);

#endif
