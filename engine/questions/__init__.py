"""What to ask next: what each answer would do (``outlook``), and the question with the most to gain."""

from .planner import Planner, Question

__all__ = [
    "Planner",
    "Question",
]
