#ifndef LOCKSTEP_CGIT2_SHIM_H
#define LOCKSTEP_CGIT2_SHIM_H

#include <git2.h>

#endif
