#ifndef LOCKSTEP_CJANSSON_SHIM_H
#define LOCKSTEP_CJANSSON_SHIM_H

#include <jansson.h>

#endif
