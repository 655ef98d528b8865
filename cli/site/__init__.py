"""The docs site: static pages made from what the engine reads."""
