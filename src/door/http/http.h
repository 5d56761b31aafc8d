#ifndef DOOR_HTTP_HTTP_H
#define DOOR_HTTP_HTTP_H

#include "door/route.h"

route_serve http_serve;

#endif
