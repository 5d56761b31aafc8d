/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_PICTURE_H
#define DESK_PICTURE_H

#include "base/str.h"

/*
 * Text with invisible characters made visible: controls as their pictures
 * (U+2400 and on), others as "<U+200B>".  Line ends stay only if `lines`.
 */
struct str picture_text(struct arena *a, struct str s, bool lines);

#endif
