/* Preloaded: the Nth system call that writes below GPUDOCTOR_FAULT_FOLDER fails, or ends the process.
   Counted are open for writing, write, fsync, rename and unlink of the C library. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long calls;

static int below(const char *path) {
    const char *folder = getenv("GPUDOCTOR_FAULT_FOLDER");
    return folder && path && strncmp(path, folder, strlen(folder)) == 0;
}

static int of(int file) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size < 0) return 0;
    path[size] = 0;
    return below(path);
}

static int fails(void) {
    const char *at = getenv("GPUDOCTOR_FAULT_AT");
    if (!at || ++calls != atol(at)) return 0;
    const char *how = getenv("GPUDOCTOR_FAULT");
    if (how && strcmp(how, "kill") == 0) _exit(137);
    errno = how && strcmp(how, "EROFS") == 0 ? EROFS : how && strcmp(how, "EIO") == 0 ? EIO : ENOSPC;
    return 1;
}

static int opened(const char *name, const char *path, int flags, int mode) {
    if ((flags & (O_WRONLY | O_RDWR)) && below(path) && fails()) return -1;
    int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, name);
    return real(path, flags, mode);
}

int open(const char *path, int flags, ...) {
    va_list rest; va_start(rest, flags); int mode = va_arg(rest, int); va_end(rest);
    return opened("open", path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list rest; va_start(rest, flags); int mode = va_arg(rest, int); va_end(rest);
    return opened("open64", path, flags, mode);
}

ssize_t write(int file, const void *data, size_t size) {
    static ssize_t (*real)(int, const void *, size_t);
    if (!real) real = dlsym(RTLD_NEXT, "write");
    if (of(file)) {
        if (fails()) return -1;
        if (size > 400) size = size / 2;  /* short writes are continued */
    }
    return real(file, data, size);
}

int fsync(int file) {
    int (*real)(int) = dlsym(RTLD_NEXT, "fsync");
    return of(file) && fails() ? -1 : real(file);
}

int rename(const char *from, const char *to) {
    int (*real)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
    return below(to) && fails() ? -1 : real(from, to);
}

int unlink(const char *path) {
    int (*real)(const char *) = dlsym(RTLD_NEXT, "unlink");
    return below(path) && fails() ? -1 : real(path);
}
