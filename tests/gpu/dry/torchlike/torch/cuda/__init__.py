"""The pretended ``torch.cuda`` of jobs that need no other rank."""

from . import pretended  # noqa: F401
from .pretended import (  # noqa: F401
    OutOfMemoryError,
    _sleep,
    device_count,
    empty_cache,
    get_device_capability,
    get_device_properties,
    is_available,
    set_device,
    set_per_process_memory_fraction,
    synchronize,
)
