#ifndef LOCKSTEP_CCURL_SHIM_H
#define LOCKSTEP_CCURL_SHIM_H

#include <curl/curl.h>

#endif
