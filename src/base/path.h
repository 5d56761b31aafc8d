/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_PATH_H
#define BASE_PATH_H

/*
 * Files whose names may come from others: opened so that no name leads out of
 * its folder.
 */
#include <dirent.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/str.h"

/* Makes every missing folder of the path, mode 0700.  ERR_CONFIG. */
int path_mkdir(const char *dir, struct err *e);
/*
 * Opens a regular file below dir for reading: no "..", no link on the way, no
 * device (openat2(2) RESOLVE_BENEATH, or step by step without it).  name may
 * be absolute when it is below dir.  Returns a descriptor, or -1 with
 * ERR_NOT_FOUND or ERR_POLICY (reason "attach_dir").
 */
int path_open_beneath(const char *dir, struct str name, struct err *e);
/*
 * Opens a folder below dir, or dir itself by the name ".", in the same way and
 * with the same errors.  path_folder.c
 */
int path_folder_open(const char *dir, struct str name, struct err *e);
/*
 * path_among.c: several folders as one text.  One alone is its absolute path,
 * as realpath(3) has it.  Of several each ends with "/", and ":" is between
 * them: "/srv/a/:/srv/b/".  Such a path never ends with "/", so it is never
 * taken for several.
 */
struct strs path_among_list(struct arena *a, struct str text);
/* Adds one, if it is not there.  ERR_LIMIT; ERR_USAGE: it cannot be one of
 * several. */
int path_among_add(struct arena *a, struct str *text, struct str folder,
    struct err *e);
/*
 * As path_open_beneath() and path_folder_open(), in the first folder that has
 * it, which is *dir.  There is at least one folder.
 */
int path_among_open(struct arena *a, struct str text, struct str name,
    struct err *e);
int path_among_folder(struct arena *a, struct str text, struct str name,
    struct str *dir, struct err *e);
/*
 * Creates a file in an open folder; the name has no "/".  Mode 0600, never over
 * an existing file nor through a link, on disk when it returns; all of it or
 * nothing.  Returns 0, 1 if the name exists, or -1 with ERR_CONFIG.
 */
int path_folder_new(int folder, const char *name, struct str bytes,
    struct err *e);
/* Writes the folder's names to disk too.  ERR_CONFIG. */
int path_folder_sync(int folder, struct err *e);
/* Removes a file just made. */
void path_folder_drop(int folder, const char *name);
/* Reads a whole descriptor, at most max bytes.  ERR_LIMIT, ERR_CONFIG. */
int path_read(int fd, size_t max, struct arena *a, struct str *out,
    struct err *e);
/*
 * Reads n bytes from an offset, fewer at the end of the file; the number read,
 * or -1 with errno.
 */
ssize_t path_read_at(int fd, void *out, size_t n, uint64_t at);
/* Writes all of it; -1 with errno. */
int path_write(int fd, struct str bytes);
/*
 * path_trust.c: is root or the user the owner of the file, and of every folder
 * and link on the way, and can nobody else write there?  As of OpenSSH's
 * StrictModes; a folder with the sticky bit may be open.  The path is absolute.
 * 0, or -1 with *why in the arena, which names what is open: it is for
 * operators.
 */
int path_trust(const char *path, uint32_t user, struct arena *a,
    struct str *why);
/*
 * The same, and is neither the file nor a link on the way in that folder, or
 * below it?  folder NULL: any may be.
 */
int path_trust_apart(const char *path, const char *folder, uint32_t user,
    struct arena *a, struct str *why);
struct stat;
/* The same of what one stat(2) says, without the way to it and without the
 * sticky bit. */
bool path_trust_is(const struct stat *st, uint32_t user);
/* Closes *fd and sets it to -1: for CLEANUP(path_close). */
void path_close(int *fd);
/* Opens a folder in an open folder, not through a link; -1 and errno. */
int path_dir_open(int at, const char *name);
/* For CLEANUP(path_dir_close). */
void path_dir_close(DIR **d);

#endif
