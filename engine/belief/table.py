"""What each kind of evidence is worth, in bits. Made by ``make fit``; not edited by hand.

Fitted on labelled cases, each with its facts and without, as it stands and with half or all of its signs left out, so
that what is not a sign learns to count. Threads that a page cites count less: that page was written from them. The
figures are for cases that were held out, by thread.
"""

WORTH: dict[str, float] = {
    "proof": 0.51,
    "best": 1.20,
    "more": 0.98,
    "part": 0.00,
    "rare": 0.00,
    "accounts": 1.04,
    "covers": 1.42,
    "rare_rest": 0.24,
    "doubt": 0.44,
    "absent": -1.54,
    "issue": -1.40,
    "fits": 0.80,
    "fits_rare": 0.62,
    "clashes": -0.14,
    "met": 0.78,
    "open": -0.57,
    "frequency": 1.00,
    "denied": -0.30,
    "vendor": -1.11,
    "road": 0.88,
    "other_road": -0.84,
    "resembles": 5.96,
    "resembles_place": 5.27,
}
FIGURES = (
    "290 cases, held out in 5 groups; first, among three, among ten",
    "all 290, with facts, 0% of the signs left out: 0.910 0.962 0.986",
    "all 290, without facts, 0% of the signs left out: 0.866 0.945 0.983",
    "all 290, without facts, 50% of the signs left out: 0.814 0.917 0.972",
    "all 290, with facts, 100% of the signs left out: 0.797 0.941 0.983",
    "all 290, without facts, 100% of the signs left out: 0.762 0.907 0.969",
    "threads that no page cites 80, with facts, 0% of the signs left out: 0.800 0.912 0.963",
    "threads that no page cites 80, without facts, 0% of the signs left out: 0.713 0.875 0.975",
    "threads that no page cites 80, without facts, 50% of the signs left out: 0.637 0.812 0.950",
    "threads that no page cites 80, with facts, 100% of the signs left out: 0.625 0.850 0.975",
    "threads that no page cites 80, without facts, 100% of the signs left out: 0.575 0.812 0.938",
)
