"""Lines on standard error that say how far something has come; on a terminal only."""
