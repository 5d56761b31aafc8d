#ifndef DESK_PICTURE_H
#define DESK_PICTURE_H

#include "base/str.h"

/*
 * Text in which nothing is out of sight: controls are shown as their pictures
 * (U+2400 and on), what else nobody sees as "<U+200B>".  Line ends stay only
 * when `lines`.
 */
struct str picture_text(struct arena *a, struct str s, bool lines);

#endif
