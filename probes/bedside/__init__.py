"""At the bedside of a job: its processes, where each rank stands, whether it moves, and what that says."""
