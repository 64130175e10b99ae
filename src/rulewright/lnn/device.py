"""device_of(name): where a network computes, or an error that says why it cannot compute there."""

import torch

from rulewright.errors import OptionError

Device = torch.device | str


def device_of(device: Device) -> torch.device:
    """The device of that name: cpu, cuda, cuda:1, or another that torch knows and this machine has."""
    try:
        found = torch.device(device)
        torch.zeros(1, device=found).item()
    except (RuntimeError, AssertionError, NotImplementedError) as cause:
        raise OptionError(f"device {str(device)!r} cannot be used: {reason(str(device), cause)}") from cause
    return found


def reason(name: str, cause: Exception) -> str:
    """What is missing, in the user's words where it is known."""
    if not name.startswith("cuda"):
        return f"{first_line(cause)} (usual are cpu, cuda and cuda:N)"
    if torch.version.cuda is None:
        return f"torch {torch.__version__} was built without CUDA; install a build of torch with it"
    if not torch.cuda.is_available():
        return "torch finds no CUDA device; see that nvidia-smi shows one"
    return f"{first_line(cause)}; there are {torch.cuda.device_count()}, counted from cuda:0"


def first_line(cause: Exception) -> str:
    """What torch says, without its advice on debugging."""
    lines = str(cause).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(cause).__name__
