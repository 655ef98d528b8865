"""The scale of belief: what everything is worth, in bits, and what follows from how many.

One bit is twice as likely. Amounts that are fitted on cases stand in ``belief.table``; what a question must promise for
its cost is the planner's own scale.
"""

from __future__ import annotations

WEIGHTS = {"weak": 1.0, "strong": 3.0, "decisive": 6.0}
"""Weight of evidence: twice, eight times, sixty-four times as likely with the incident."""
DENIAL = {"weak": 0.0, "strong": 0.25, "decisive": 0.5}
"""Taken back by evidence that is known to be absent; less than it would have given, since an incident
rarely shows all of its signs."""
FREQUENCIES = {"common": 1.0, "occasional": 0.0, "rare": -1.0}
"""How often an incident is met; orders incidents whose evidence is equal."""
PROOF_BITS = 6.0
"""What a proof promises as long as only a part of it is known."""
LIKELY_BITS = 6.0
"""Evidence from which on an incident is likely."""
DROPPED_BITS = -2.0
"""An incident of which the absent evidence outweighs the present by this much is no longer listed."""
LEAD_BITS = 2.0
"""An incident clearly leads when its score is this far above the next one's."""
ELSEWHERE_BITS = 11.0
"""All incidents together for which nothing speaks yet, and causes unknown to us: on labelled cases about as many
leaders below this score are wrong as are right."""
EXCLUDED_BITS = -99.0
"""What an answer does that rules an incident out."""
EXPECTED_BITS = {"confirms": 3.0, "excluded": -6.0}
"""How much likelier an incident makes an answer that would prove it, and one that would rule it out."""
