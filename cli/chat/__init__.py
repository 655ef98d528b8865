"""The conversation: asks the right question, explains itself, and takes everything back."""
