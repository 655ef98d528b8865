"""Everything that a person touches: commands, conversation, rendering, the docs site."""
