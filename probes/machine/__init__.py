"""What this machine is: one module per probe, each a plain function from a ``World`` to findings.

Nothing here imports more than the standard library, so that a child with these probes starts in 40 ms.
"""
