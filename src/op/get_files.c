/* SPDX-License-Identifier: Apache-2.0 */
/* The attachments of one message. */
#include "op/get_files.h"

#include "base/limits.h"
#include "mime/magic.h"

const struct field get_files_fields[] = {
	{ "name", FIELD_TEXT, .help = "file name, never a path" },
	{ "size", FIELD_INT, .help = "bytes, decoded" },
	{ "mime", FIELD_TEXT, .help = "declared media type" },
	{ "warnings", FIELD_TEXTS, .optional = true,
	    .help = "about this file: type_mismatch, name_deceptive" },
	{ "content_b64", FIELD_TEXT, .optional = true,
	    .help = "the bytes, base64: with attachments inline" },
	{ "saved", FIELD_TEXT, .optional = true,
	    .help = "where it was saved, relative to the account's attach_dir: "
		    "if attachments names a folder" },
	{ 0 },
};

bool
get_files_is_folder(struct str how)
{
	return !str_eq(how, S("inline")) && !str_eq(how, S("meta"));
}

static void
get_files_put_warnings(struct call *c, struct json *out,
    const struct mime_attachment *at, struct str bytes)
{
	/* An embedded message has a header, whatever its first bytes are. */
	bool mismatch = !at->part->is_message &&
	    magic_mismatch(at->type, at->name, str_first(bytes, MAGIC_BYTES));

	gate_warn(c, WARN_TYPE_MISMATCH, mismatch);
	gate_warn(c, WARN_NAME_DECEPTIVE, at->deceptive);
	if (!mismatch && !at->deceptive)
		return;
	json_open_array(out, "warnings");
	if (mismatch)
		json_put_text(out, NULL,
		    warning_table[WARN_TYPE_MISMATCH].code);
	if (at->deceptive)
		json_put_text(out, NULL,
		    warning_table[WARN_NAME_DECEPTIVE].code);
	json_close_array(out);
}

static int
get_files_put_file(struct call *c, struct json *out,
    const struct mime_attachment *at, struct str how, struct attach_save *saver,
    struct err *e)
{
	/* Only what is shown must be kept. */
	CLEANUP(arena_close) struct arena *passing = NULL;
	bool inside = str_eq(how, S("inline"));
	struct str bytes, saved;

	if (!inside)
		passing = arena_open(LIMIT_ARENA);
	bytes = mime_part_decode(inside ? c->arena : passing, at->part);
	json_open_object(out, NULL);
	json_put_str(out, "name", at->name);
	json_put_int(out, "size", (int64_t)bytes.n);
	json_put_str(out, "mime", at->type);
	get_files_put_warnings(c, out, at, bytes);
	if (inside)
		json_put_base64(out, "content_b64", bytes);
	if (get_files_is_folder(how)) {
		if (attach_save_file(saver, at->name, bytes, &saved, e) < 0)
			return -1;
		json_put_str(out, "saved", saved);
	}
	json_close_object(out);
	return 0;
}

int
get_files_put(struct call *c, struct json *out, const struct mime_reading *r,
    struct str how, struct attach_save *saver, struct err *e)
{
	json_open_array(out, "attachments");
	for (size_t i = 0; i < r->n; i++)
		if (get_files_put_file(c, out, &r->attachment[i], how, saver,
			e) < 0)
			return -1;
	json_close_array(out);
	return get_files_is_folder(how) ? attach_save_keep(saver, e) : 0;
}
