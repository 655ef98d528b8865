"""A diagnosis for people: sections make blocks of the document, a form lists sections, a style shows the blocks.

``forms`` says which sections stand in which order; ``leading``, ``remedies``, ``nodes``, ``evidence`` and ``closing``
hold the sections; ``terminal`` and ``markdown`` are the two styles.
"""
