"""What each kind of evidence is worth, in bits. Made by ``make fit``; not edited by hand.

Fitted on labelled cases, each as it stands and with half or all of its signs left out, so that what is not a
sign learns to count. The figures are for cases that were held out, by thread.
"""

WORTH: dict[str, float] = {
    "proof": 0.54,
    "best": 1.41,
    "more": 0.59,
    "part": 0.00,
    "rare": 0.00,
    "accounts": 1.26,
    "covers": 1.17,
    "rare_rest": 0.19,
    "doubt": 0.37,
    "absent": -1.57,
    "issue": -1.40,
    "fits": 0.74,
    "fits_rare": 0.62,
    "clashes": -0.19,
    "met": 0.97,
    "open": -0.32,
    "frequency": 1.00,
    "denied": -1.00,
    "vendor": -0.95,
    "road": 0.86,
    "other_road": -0.82,
    "resembles": 6.05,
    "resembles_place": 5.31,
}
FIGURES = (
    "290 cases, held out in 5 groups",
    "0% of the signs left out: first 0.903, among three 0.966, among ten 0.990",
    "50% of the signs left out: first 0.859, among three 0.945, among ten 0.983",
    "100% of the signs left out: first 0.786, among three 0.941, among ten 0.983",
)
