"""The version of the program, as ``gpudoctor --version`` and the site print it."""

VERSION = "0.1.0"
