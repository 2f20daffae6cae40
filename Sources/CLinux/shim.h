#ifndef LOCKSTEP_CLINUX_SHIM_H
#define LOCKSTEP_CLINUX_SHIM_H

/* System calls of Linux that the Glibc module leaves out. */
#include <sys/epoll.h>
#include <sys/signalfd.h>

/* glibc declares it only under _GNU_SOURCE, which Swift's Glibc module is built without. */
int syncfs(int descriptor);

#endif
