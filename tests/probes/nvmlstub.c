/* A libnvidia-ml.so.1 for tests: two GPUs, and a fault chosen by NVML_STUB. The real nvidia-ml-py drives it.
   Return codes and structures as in NVIDIA's nvml.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OK 0
#define INVALID 2
#define NOT_SUPPORTED 3
#define NO_PERMISSION 4
#define GPU_IS_LOST 15
#define MISMATCH 18
#define UNKNOWN 999

static int mode(const char *name) {
    const char *chosen = getenv("NVML_STUB");
    return chosen != NULL && strcmp(chosen, name) == 0;
}
/* NVML_STUB_GPUS: so many GPUs, each of which answers everything, as one of a kind with NVLink does. */
static int gpus(void) {
    const char *chosen = getenv("NVML_STUB_GPUS");
    return chosen != NULL ? atoi(chosen) : 0;
}
static void hang(void) { for (;;) pause(); }

int nvmlInitWithFlags(unsigned int flags) {
    (void)flags;
    if (mode("hang_init")) hang();
    if (mode("mismatch")) return MISMATCH;
    if (mode("noperm")) return NO_PERMISSION;
    if (mode("unknown")) return UNKNOWN;
    return OK;
}
int nvmlInit_v2(void) { return nvmlInitWithFlags(0); }
int nvmlShutdown(void) { return OK; }
int nvmlSystemGetDriverVersion(char *text, unsigned int size) { snprintf(text, size, "550.54.15"); return OK; }
int nvmlSystemGetCudaDriverVersion_v2(int *version) { *version = 12040; return OK; }
int nvmlDeviceGetCount_v2(unsigned int *count) { *count = gpus() ? gpus() : 2; return OK; }
int nvmlDeviceGetHandleByIndex_v2(unsigned int index, void **device) {
    if (index == 1 && mode("lost_gpu1")) return GPU_IS_LOST;
    *device = (void *)(long)(index + 1);
    return OK;
}
int nvmlDeviceGetName(void *device, char *text, unsigned int size) {
    if (device == (void *)2 && mode("hang_gpu1")) hang();
    snprintf(text, size, "NVIDIA GeForce RTX 4090");
    return OK;
}
int nvmlDeviceGetUUID(void *device, char *text, unsigned int size) {
    snprintf(text, size, "GPU-0000000%ld-aaaa-bbbb-cccc-dddddddddddd", (long)device);
    return OK;
}
int nvmlDeviceGetCudaComputeCapability(void *device, int *major, int *minor) {
    (void)device;
    *major = 8;
    *minor = 9;
    return OK;
}
int nvmlDeviceGetMigMode(void *device, unsigned int *now, unsigned int *later) {
    (void)device; (void)now; (void)later;
    return NOT_SUPPORTED;
}
int nvmlDeviceGetComputeMode(void *device, int *value) { (void)device; *value = mode("exclusive") ? 3 : 0; return OK; }
int nvmlDeviceGetDisplayActive(void *device, int *active) { *active = device == (void *)1; return OK; }
int nvmlDeviceGetNvLinkState(void *device, unsigned int link, int *active) {
    (void)device;
    if (gpus() && link > 3) return NOT_SUPPORTED;
    if (!gpus() && !mode("nvlink_down")) return NOT_SUPPORTED;
    *active = gpus() || link != 3;
    return OK;
}
int nvmlDeviceGetTotalEccErrors(void *device, int kind, int counter, unsigned long long *count) {
    (void)kind; (void)counter;
    if (!mode("ecc") && !gpus()) return NOT_SUPPORTED;
    *count = mode("ecc") && device == (void *)2 ? 7 : 0;
    return OK;
}
int nvmlDeviceGetTopologyCommonAncestor(void *one, void *other, int *level) {
    (void)one; (void)other;
    *level = 30;
    return OK;
}
int nvmlDeviceGetP2PStatus(void *one, void *other, int index, int *status) {
    (void)one; (void)other;
    *status = index == 0 ? (mode("p2p") || gpus() ? 0 : 1) : ((mode("nvlink_down") || gpus()) && index == 2 ? 0 : 1);
    return OK;
}
struct pci { char old[16]; unsigned int domain, bus, device, id, subsystem; char text[32]; };
int nvmlDeviceGetPciInfo_v3(void *device, struct pci *pci) {
    if (!gpus()) return NOT_SUPPORTED;
    memset(pci, 0, sizeof *pci);
    pci->bus = 0x10 + (unsigned int)(long)device;
    snprintf(pci->text, sizeof pci->text, "00000000:%02X:00.0", pci->bus);
    return OK;
}
struct memory { unsigned long long total, free, used; };
int nvmlDeviceGetMemoryInfo(void *device, struct memory *memory) {
    if (!gpus()) return NOT_SUPPORTED;
    memory->total = (mode("wrong_memory") && device == (void *)2 ? 16376ULL : 24564ULL) << 20;
    memory->free = memory->total;
    memory->used = 0;
    return OK;
}
int nvmlDeviceGetBAR1MemoryInfo(void *device, struct memory *memory) {
    (void)device;
    if (!gpus()) return NOT_SUPPORTED;
    memory->total = memory->free = 32768ULL << 20;
    memory->used = 0;
    return OK;
}
int nvmlDeviceGetRemappedRows(void *device, unsigned int *one, unsigned int *two, unsigned int *three, unsigned int *four) {
    (void)device;
    if (!gpus()) return NOT_SUPPORTED;
    *one = *two = *three = *four = 0;
    return OK;
}
int nvmlDeviceGetMaxClockInfo(void *device, int type, unsigned int *clock) {
    (void)device;
    if (!gpus()) return NOT_SUPPORTED;
    *clock = type == 1 ? 3105 : type == 2 ? 10501 : 0;
    return OK;
}
const char *nvmlErrorString(int code) {
    switch (code) {
    case OK: return "Success";
    case NO_PERMISSION: return "Insufficient Permissions";
    case GPU_IS_LOST: return "GPU is lost";
    case MISMATCH: return "Driver/library version mismatch";
    default: return "Unknown Error";
    }
}
