"""A data loader that passes its batches through shared memory, and says so as the real one where there is none left."""

import os
import signal
import time


class DataLoader:
    def __init__(self, samples, batch_size, num_workers):
        self._samples, self._size = samples, batch_size

    def __iter__(self):
        time.sleep(2.5)  # as long as the real torch takes to be imported: gpudoctor looks once a second
        pid = os.fork()
        if pid == 0:
            with open("/dev/shm/torch_1", "wb") as file:
                try:
                    os.posix_fallocate(file.fileno(), 0, self._size * (4 << 20))
                except OSError:
                    os.kill(os.getpid(), signal.SIGKILL)
            os._exit(0)
        if os.waitpid(pid, 0)[1]:
            os.write(
                2,
                b"ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared "
                b"memory (shm).\n",
            )
            raise RuntimeError(
                f"DataLoader worker (pid {pid}) is killed by signal: Bus error. It is possible that dataloader's "
                "workers are out of shared memory. Please try to raise your shared memory limit."
            )
        os.unlink("/dev/shm/torch_1")
        yield self._samples[0]
