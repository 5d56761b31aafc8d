/* SPDX-License-Identifier: Apache-2.0 */
/* Folders by their roles, RFC 6154. */
#include "gate/across_folders.h"

static bool
across_folders_is_trash(enum folder_role role)
{
	return role == FOLDER_TRASH || role == FOLDER_JUNK;
}

/* Is it Trash or Junk, or below one of them? */
static bool
across_folders_in_trash(const struct folders *all, const struct folder *f)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct folder *t = &all->v[i];

		if (!across_folders_is_trash(t->role))
			continue;
		if (str_eq(t->name, f->name) ||
		    (t->delimiter != 0 && str_starts(f->name, t->name) &&
			f->name.n > t->name.n &&
			f->name.p[t->name.n] == t->delimiter))
			return true;
	}
	return false;
}

static bool
across_folders_has_all(const struct folders *all)
{
	for (size_t i = 0; i < all->n; i++)
		if (all->v[i].role == FOLDER_ALL && all->v[i].selectable)
			return true;
	return false;
}

void
across_folders(struct arena *a, const struct folders *all, bool trash,
    struct strs *out)
{
	bool has_all = across_folders_has_all(all);

	*out = (struct strs){ 0 };
	for (size_t i = 0; i < all->n; i++) {
		const struct folder *f = &all->v[i];
		bool in_trash = across_folders_in_trash(all, f);
		bool view =
		    f->role == FOLDER_FLAGGED || f->role == FOLDER_IMPORTANT;

		if (!f->selectable || view || (in_trash && !trash))
			continue;
		if (has_all && !in_trash && f->role != FOLDER_ALL)
			continue;
		str_push(a, out, f->name);
	}
}
