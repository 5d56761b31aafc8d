/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes as folders: "inbox" is INBOX, and the others have their names. */
#include "backend/agentbox/contract.h"

static const struct {
	struct str box, folder;
	enum folder_role role;
} roles[] = {
	{ SI("inbox"), SI("INBOX"), FOLDER_INBOX },
	{ SI("sent"), SI("sent"), FOLDER_SENT },
	{ SI("archive"), SI("archive"), FOLDER_ARCHIVE },
	{ SI("drafts"), SI("drafts"), FOLDER_PLAIN },
};

#define ROLES (sizeof(roles) / sizeof(roles[0]))

int
agentbox_folder_absent(struct err *e)
{
	return err_set(e, ERR_NOT_FOUND, "no such folder or message");
}

struct str
agentbox_folder_name(struct str box)
{
	return str_eq(box, roles[0].box) ? roles[0].folder : box;
}

int
agentbox_folder_list(struct conn *c, struct arena *a, struct folders *out,
    struct err *e)
{
	struct agentbox *b = (struct agentbox *)c;
	struct strs boxes = { 0 };

	if (agentbox_own_need(b, e) < 0 ||
	    agentbox_view_boxes(b->root, b->reg.address, a, &boxes, e) < 0)
		return -1;
	if (boxes.n > LIMIT_FOLDERS)
		boxes.n = LIMIT_FOLDERS;
	*out = (struct folders){ arena_array(a, boxes.n, sizeof(*out->v)), 0 };
	for (size_t i = 0; i < boxes.n; i++) {
		struct folder *f = &out->v[out->n++];

		*f = (struct folder){
			.name = agentbox_folder_name(boxes.v[i]),
			.selectable = true,
		};
		for (size_t k = 0; k < ROLES; k++)
			if (str_eq(boxes.v[i], roles[k].box))
				f->role = roles[k].role;
	}
	return 0;
}

int
agentbox_folder_box(struct agentbox *b, struct arena *a, struct str folder,
    struct str *box, struct err *e)
{
	struct strs boxes = { 0 };

	*box = folder;
	if (folder.n == 0)
		return 0;
	for (size_t i = 0; i < ROLES; i++)
		if (str_eq(folder, roles[i].folder)) {
			*box = roles[i].box;
			return 0;
		}
	if (agentbox_view_boxes(b->root, b->reg.address, a, &boxes, e) < 0)
		return -1;
	/* INBOX has that name alone. */
	if (str_eq(folder, roles[0].box) || !str_among(&boxes, folder))
		return agentbox_folder_absent(e);
	return 0;
}
