#ifndef LOCKSTEP_CLINUX_SHIM_H
#define LOCKSTEP_CLINUX_SHIM_H

/* System calls of Linux that the Glibc module leaves out. */
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>

#endif
