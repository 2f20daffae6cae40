#ifndef LOCKSTEP_CNGHTTP2_SHIM_H
#define LOCKSTEP_CNGHTTP2_SHIM_H

#include <nghttp2/nghttp2.h>

#endif
