// Stands in for the NVIDIA driver and for NVRTC where there is no card: the same entry
// points, behind which a "card" runs lanes as threads. A kernel is compiled as C++ behind
// a header that stands in for CUDA's own (SHIM; for clang, CLANG), and its image is a shared library.
//
// It is strict where the driver is: a context has to be current, handles die with their
// context, and copies stay within what was allocated. standin_fail makes calls fail.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef int32_t result;
typedef uint64_t ptr;

enum { INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_INITIALIZED = 3, NO_DEVICE = 100, INVALID_IMAGE = 200,
       INVALID_CONTEXT = 201, NOT_FOUND = 500, INVALID_HANDLE = 400, LAUNCH_FAILED = 719 };

// What the stand-in pretends to be.
static int devices = 1, capability = 90, driver_version = 13000, newest = 120;
static uint64_t memory = 8ull << 30;

void standin_set(const char *what, int value) {
  if (!strcmp(what, "devices")) devices = value;
  if (!strcmp(what, "capability")) capability = value;
  if (!strcmp(what, "driver")) driver_version = value;
  if (!strcmp(what, "newest")) newest = value;
  if (!strcmp(what, "megabytes")) memory = (uint64_t)value << 20;
}

// The fault that waits to happen.
static char fail_call[64];
static int fail_code, fail_after, fail_times;
static result dead; // of the context, after an error that it does not survive

void standin_fail(const char *call, int code, int after, int times) {
  snprintf(fail_call, sizeof fail_call, "%s", call);
  fail_code = code;
  fail_after = after;
  fail_times = times;
}

static int fault(const char *call) {
  if (strcmp(call, fail_call) || fail_times == 0) return 0;
  if (fail_after-- > 0) return 0;
  fail_times--;
  return fail_code;
}

static int initialized, retained, age = 1;
static _Thread_local int current;

struct block {
  ptr at;
  uint64_t size;
  struct block *next;
};
static struct block *blocks;
static uint64_t used;
static int modules;

struct module {
  int age;
  void *library;
  void (*run)(unsigned, unsigned, unsigned, void **);
};

// What is alive: contexts, blocks and modules.
int standin_live(void) {
  int n = retained + modules;
  for (struct block *b = blocks; b; b = b->next) n++;
  return n;
}

#define CALL(name)                         \
  do {                                     \
    int f = fault(name);                   \
    if (f) return f;                       \
    if (!initialized) return NOT_INITIALIZED; \
  } while (0)
#define INSIDE(name)                                                       \
  do {                                                                     \
    int inside = fault(name);                                              \
    if (inside >= 700 && inside != 701) dead = inside;                     \
    if (inside) return inside;                                             \
    if (!retained || current != age) return INVALID_CONTEXT;               \
    if (dead) return dead;                                                 \
  } while (0)

result cuInit(unsigned flags) {
  int f = fault("cuInit");
  if (f) return f;
  initialized = 1;
  return flags ? INVALID_VALUE : devices ? 0 : NO_DEVICE;
}

result cuDriverGetVersion(int *v) {
  *v = driver_version;
  return fault("cuDriverGetVersion");
}

result cuDeviceGetCount(int *n) {
  CALL("cuDeviceGetCount");
  *n = devices;
  return 0;
}

result cuDeviceGet(int *dev, int i) {
  CALL("cuDeviceGet");
  *dev = 7;
  return i == 0 ? 0 : INVALID_VALUE;
}

result cuDeviceGetName(char *name, int n, int dev) {
  CALL("cuDeviceGetName");
  snprintf(name, n, "stand-in for a card");
  return dev == 7 ? 0 : INVALID_VALUE;
}

result cuDeviceGetAttribute(int *v, int attribute, int dev) {
  CALL("cuDeviceGetAttribute");
  switch (attribute) {
  case 16: *v = 1; break;
  case 75: *v = capability / 10; break;
  case 76: *v = capability % 10; break;
  default: return INVALID_VALUE;
  }
  return dev == 7 ? 0 : INVALID_VALUE;
}

result cuDeviceTotalMem_v2(uint64_t *n, int dev) {
  CALL("cuDeviceTotalMem");
  *n = memory;
  return dev == 7 ? 0 : INVALID_VALUE;
}

result cuDevicePrimaryCtxRetain(ptr *ctx, int dev) {
  CALL("cuDevicePrimaryCtxRetain");
  retained++;
  *ctx = 0xc0 + age;
  return dev == 7 ? 0 : INVALID_VALUE;
}

static void destroy(void) {
  while (blocks) {
    struct block *b = blocks;
    blocks = b->next;
    munmap((void *)b->at, b->size);
    free(b);
  }
  used = 0;
  modules = 0;
  dead = 0;
  age++;
}

result cuDevicePrimaryCtxRelease_v2(int dev) {
  if (!retained || dev != 7) return INVALID_CONTEXT;
  if (--retained == 0) destroy();
  return 0;
}

result cuDevicePrimaryCtxReset_v2(int dev) {
  destroy();
  return dev == 7 ? 0 : INVALID_VALUE;
}

result cuCtxSetCurrent(ptr ctx) {
  CALL("cuCtxSetCurrent");
  if (ctx != (ptr)(0xc0 + age)) return INVALID_CONTEXT;
  current = age;
  return 0;
}

result cuMemAlloc_v2(ptr *p, uint64_t n) {
  INSIDE("cuMemAlloc");
  if (n == 0 || used + n > memory) return OUT_OF_MEMORY;
  void *at = mmap(0, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) return OUT_OF_MEMORY;
  memset(at, 0xa5, n < 1 << 20 ? n : 1 << 20); // nobody promised zeros
  struct block *b = malloc(sizeof *b);
  *b = (struct block){(ptr)at, n, blocks};
  blocks = b;
  used += n;
  *p = b->at;
  return 0;
}

result cuMemFree_v2(ptr p) {
  INSIDE("cuMemFree");
  for (struct block **b = &blocks; *b; b = &(*b)->next) {
    if ((*b)->at != p) continue;
    struct block *gone = *b;
    *b = gone->next;
    used -= gone->size;
    munmap((void *)gone->at, gone->size);
    free(gone);
    return 0;
  }
  return INVALID_VALUE;
}

static int allocated(ptr p, uint64_t n) {
  for (struct block *b = blocks; b; b = b->next) {
    if (p >= b->at && n <= b->size && p - b->at <= b->size - n) return 1;
  }
  return 0;
}

result cuMemcpyHtoD_v2(ptr to, const void *from, uint64_t n) {
  INSIDE("cuMemcpyHtoD");
  if (!allocated(to, n)) return INVALID_VALUE;
  memcpy((void *)to, from, n);
  return 0;
}

result cuMemcpyDtoH_v2(void *to, ptr from, uint64_t n) {
  INSIDE("cuMemcpyDtoH");
  if (!allocated(from, n)) return INVALID_VALUE;
  memcpy(to, (void *)from, n);
  return 0;
}

// An image: these letters, the size, and a shared library.
static const char magic[8] = "STANDIN";

result cuModuleLoadData(struct module **module, const void *image) {
  INSIDE("cuModuleLoadData");
  if (memcmp(image, magic, 8)) return INVALID_IMAGE;
  uint64_t n;
  memcpy(&n, (const char *)image + 8, 8);
  char path[] = "/tmp/standin-XXXXXX";
  int fd = mkstemp(path);
  if (fd < 0 || write(fd, (const char *)image + 16, n) != (ssize_t)n) return INVALID_IMAGE;
  close(fd);
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  unlink(path);
  if (!library) return INVALID_IMAGE;
  *module = malloc(sizeof **module);
  **module = (struct module){age, library, 0};
  modules++;
  return 0;
}

result cuModuleUnload(struct module *m) {
  INSIDE("cuModuleUnload");
  if (m->age != age) return INVALID_HANDLE;
  dlclose(m->library);
  m->age = 0;
  modules--;
  return 0;
}

result cuModuleGetFunction(struct module **f, struct module *m, const char *name) {
  INSIDE("cuModuleGetFunction");
  if (m->age != age) return INVALID_HANDLE;
  *(void **)&m->run = dlsym(m->library, "standin_thread");
  *f = m;
  return m->run && dlsym(m->library, name) ? 0 : NOT_FOUND;
}

result cuFuncGetAttribute(int *v, int attribute, struct module *m) {
  INSIDE("cuFuncGetAttribute");
  *v = attribute == 4 ? 64 : 0;
  return m->age == age ? 0 : INVALID_HANDLE;
}

struct thread {
  struct module *module;
  unsigned block, dim, thread;
  void **params;
  pthread_t id;
};

static void *run(void *p) {
  struct thread *t = p;
  t->module->run(t->block, t->dim, t->thread, t->params);
  return 0;
}

result cuLaunchKernel(struct module *m, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                      unsigned shared, ptr stream, void **params, void **extra) {
  INSIDE("cuLaunchKernel");
  if (m->age != age) return INVALID_HANDLE;
  if (gy * gz * by * bz != 1 || shared || stream || extra || !allocated(*(ptr *)params[0], 8)) return INVALID_VALUE;
  unsigned n = gx * bx;
  struct thread *threads = calloc(n, sizeof *threads);
  for (unsigned i = 0; i < n; i++) {
    threads[i] = (struct thread){m, i / bx, bx, i % bx, params, 0};
    if (i > 0 && pthread_create(&threads[i].id, 0, run, &threads[i])) return LAUNCH_FAILED;
  }
  run(&threads[0]);
  for (unsigned i = 1; i < n; i++) pthread_join(threads[i].id, 0);
  free(threads);
  return 0;
}

result cuCtxSynchronize(void) {
  INSIDE("cuCtxSynchronize");
  return 0;
}

result cuGetErrorName(result r, const char **text) {
  *text = r == OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : r == NO_DEVICE ? "CUDA_ERROR_NO_DEVICE" : r == LAUNCH_FAILED ? "CUDA_ERROR_LAUNCH_FAILED" : 0;
  return *text ? 0 : INVALID_VALUE;
}

result cuGetErrorString(result r, const char **text) {
  *text = r == OUT_OF_MEMORY ? "out of memory" : r == NO_DEVICE ? "no CUDA-capable device is detected" : r == LAUNCH_FAILED ? "unspecified launch failure" : 0;
  return *text ? 0 : INVALID_VALUE;
}

// NVRTC.

struct program {
  char *text, *log, *image;
  uint64_t size;
};

int nvrtcVersion(int *major, int *minor) {
  *major = 13;
  *minor = 1;
  return fault("nvrtcVersion");
}

const char *nvrtcGetErrorString(int code) { return code == 6 ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR_INTERNAL_ERROR"; }

int nvrtcGetNumSupportedArchs(int *n) {
  *n = 2;
  return 0;
}

int nvrtcGetSupportedArchs(int *list) {
  list[0] = 75;
  list[1] = newest < 90 ? newest : 90;
  return 0;
}

int nvrtcCreateProgram(struct program **p, const char *text, const char *name, int n, const char **texts, const char **names) {
  (void)name, (void)texts, (void)names;
  *p = calloc(1, sizeof **p);
  (*p)->text = strdup(text);
  return n ? 3 : fault("nvrtcCreateProgram");
}

int nvrtcDestroyProgram(struct program **p) {
  free((*p)->text);
  free((*p)->log);
  free((*p)->image);
  free(*p);
  *p = 0;
  return 0;
}

static const char tail[] =
    "\nextern \"C\" void standin_thread(unsigned block, unsigned dim, unsigned thread, void **p) {\n"
    "  blockIdx.x = block, blockDim.x = dim, threadIdx.x = thread;\n"
    "  bend_enter(*(u64 **)p[0], *(u32 *)p[1], *(int *)p[2], *(int *)p[3], *(u32 *)p[4]);\n"
    "}\n";

static char *file(const char *path, uint64_t *n) {
  FILE *f = fopen(path, "rb");
  if (!f) return 0;
  fseek(f, 0, SEEK_END);
  *n = ftell(f);
  rewind(f);
  char *b = calloc(1, *n + 1);
  if (fread(b, 1, *n, f) != *n) *n = 0;
  fclose(f);
  return b;
}

// Has clang, where STANDIN_CLANG names it, compile the kernel for cards too. Arrays of a
// lane's own are an error, as a compiler for cards has no registers for them.
static int compiles_to_ptx(const char *dir, const char *text) {
  const char *clang = getenv("STANDIN_CLANG");
  char command[1024];
  if (!clang || !*clang) return 1;
  snprintf(command, sizeof command, "%s/k.cu", dir);
  FILE *out = fopen(command, "w");
  fputs(text, out);
  fclose(out);
  snprintf(command, sizeof command,
           "for sm in 80 90; do"
           " %s -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_$sm -std=c++14 -O2 -w -ffp-contract=off"
           " -include %s -S -o %s/k.ptx %s/k.cu >%s/log 2>&1 || exit 1;"
           " if grep -n local_depot %s/k.ptx >%s/log; then exit 1; fi; done",
           clang, CLANG, dir, dir, dir, dir, dir);
  return system(command) == 0;
}

int nvrtcCompileProgram(struct program *p, int n, const char **options) {
  int f = fault("nvrtcCompileProgram");
  for (int i = 0; i < n; i++) {
    if (!strcmp(options[i], "--use_fast_math") || !strcmp(options[i], "--fmad=true")) return 5;
  }
  char dir[] = "/tmp/standin-XXXXXX", path[96], command[512];
  if (!mkdtemp(dir)) return 11;
  snprintf(path, sizeof path, "%s/k.cpp", dir);
  FILE *out = fopen(path, "w");
  fputs(p->text, out);
  fputs(f ? "\n#error asked for\n" : tail, out);
  fclose(out);
  snprintf(command, sizeof command,
           "c++ -std=c++14 -O0 -w -ffp-contract=off -shared -fPIC -include '%s' -o %s/k.so %s/k.cpp >%s/log 2>&1", SHIM, dir, dir, dir);
  int failed = system(command) || !compiles_to_ptx(dir, p->text);
  uint64_t size = 0;
  snprintf(path, sizeof path, "%s/log", dir);
  p->log = file(path, &size);
  snprintf(path, sizeof path, "%s/k.so", dir);
  char *library = failed ? 0 : file(path, &size);
  if (library) {
    p->size = size + 16;
    p->image = calloc(1, p->size);
    memcpy(p->image, magic, 8);
    memcpy(p->image + 8, &size, 8);
    memcpy(p->image + 16, library, size);
    free(library);
  }
  snprintf(command, sizeof command, "rm -rf %s", dir);
  if (system(command)) return 11;
  return p->image ? 0 : 6;
}

int nvrtcGetProgramLogSize(struct program *p, uint64_t *n) {
  *n = strlen(p->log) + 1;
  return 0;
}

int nvrtcGetProgramLog(struct program *p, char *log) {
  strcpy(log, p->log);
  return 0;
}

int nvrtcGetCUBINSize(struct program *p, uint64_t *n) {
  *n = p->size;
  return 0;
}

int nvrtcGetCUBIN(struct program *p, char *image) {
  memcpy(image, p->image, p->size);
  return fault("nvrtcGetCUBIN");
}

int nvrtcGetPTXSize(struct program *p, uint64_t *n) { return nvrtcGetCUBINSize(p, n); }

int nvrtcGetPTX(struct program *p, char *image) { return nvrtcGetCUBIN(p, image); }
