"""One module for each command: arguments in, exit status out. None uses another."""
