"""What a person gives: the options' knowledge base, facts, reports, machine, hosts and sessions, read and judged."""
