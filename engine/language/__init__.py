"""What people and programs say: signatures held against lines (``matching``), phrases of people's
words (``phrases``, ``phrasebook``)."""
