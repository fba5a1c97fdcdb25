/* While the file FAIL_FILE exists, writes of lmdb's meta pages fail with FAIL_ERRNO, but the disk has the first of two. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

typedef ssize_t write_function(int, const void *, size_t, off_t);

static ssize_t written(const char *name, int file, const void *bytes, size_t count, off_t at) {
  static int failed = 0;
  write_function *write = (write_function *)dlsym(RTLD_NEXT, name);
  const char *path = getenv("FAIL_FILE");
  if (count >= 512 || at >= 2 * 4096 || access(path, F_OK) != 0) return write(file, bytes, count, at);
  if (failed++ % 2 == 0) write(file, bytes, count, at);
  errno = atoi(getenv("FAIL_ERRNO"));
  return -1;
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) { return written("pwrite", file, bytes, count, at); }
ssize_t pwrite64(int file, const void *bytes, size_t count, off_t at) { return written("pwrite64", file, bytes, count, at); }
