"""What a report says, without the words that are kept for what resembles it."""

from gpudoctor import probes
from gpudoctor.engine.facts import WORDS


def read_report(*arguments, **options):
    return [fact for fact in probes.read_report(*arguments, **options) if fact.name != WORDS]
