"""``python -m gpudoctor``. The package gpudoctor itself has no file but this one."""

from .cli.main import entry

if __name__ == "__main__":
    entry()
