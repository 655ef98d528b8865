"""What is said of the knowledge base, in the terminal and on the site alike: entries, search, complaints, addresses."""
