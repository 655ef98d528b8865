"""As fakenccl, with Intel GPUs behind torch.xpu and the backend xccl."""

import os
from pathlib import Path

os.environ["FAKE_API"] = "xpu"
_program = Path(__file__).parents[2] / "fakenccl" / "torch" / "__init__.py"
exec(compile(_program.read_text(), str(_program), "exec"))
