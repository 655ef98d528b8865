"""``python -m gpudoctor``. The package gpudoctor itself has no file but this one."""

from .cli.start import entry

if __name__ == "__main__":
    entry()
