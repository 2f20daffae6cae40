#ifndef LOCKSTEP_CSYSTEM_SHIM_H
#define LOCKSTEP_CSYSTEM_SHIM_H

/* glibc declares it only under _GNU_SOURCE, which Swift's Glibc module is built without. */
int syncfs(int descriptor);

#endif
