# ruff: noqa: E501  (lists of words)
"""Which concepts of ``concepts.txt`` say how a job fares, and the words that say nothing.

A sentence and a wording are compared by concepts, so that "卡死", "stuck" and "makes no progress" are one thing.
"""

from __future__ import annotations

STATES = frozenset(("hang", "fail", "timeout", "work", "slow", "wrong"))
"""How a job fares: what one clause says. Two of them make two clauses."""
PREDICATES = STATES | frozenset(
    (
        "missing",
        "unseen",
        "unreachable",
        "mismatch",
        "inactive",
        "inuse",
        "unused",
        "short",
        "released",
        "noeffect",
        "nan",
        "zeros",
        "uneven",
        "skip",
        "throttle",
        "illegal",
        "duplicate",
        "oom",
        "leftover",
        "kill",
        "not",
    )
)
"""What a wording says of the rest of it: without that a clause is not like it."""
OPPOSITE = {
    "work": "flawlessly; smoothly; like a charm; behaves; behave; fail 跑得通 没毛病 一切正常 运行良好 顺利", "hang": "work", "fail": "work", "timeout": "work", "slow": "work", "wrong": "work",
}  # fmt: skip
"""What a denied state means: "does not work" is a failure, "does not hang" is none."""
NOT = "not"
ONE_GPU, SEVERAL_GPUS, ONE_NODE, SEVERAL_NODES = "one-gpu", "several-gpus", "one-node", "several-nodes"

FILLERS = frozenset(
    """a an the is are was were be been being am it its it's this that these those there here to of in on at with for and or
    i we you he she they my our your their his her me us them has have had having do does did done doing so as by from
    into onto than then just also too very quite really even still already now again always every each any all some
    which who what when while where if whether because since will would can could may might should shall must about
    around between among over under up down out off same such both other others more most much many lot own
    get gets got getting seem seems appear appears become becomes became go goes went gone come comes came
    keep keeps kept start starts started starting begin begins began happen happens happened occur occurs
    however but although though yet longer one ones use uses used using try tries tried trying make makes made""".split()  # noqa: SIM905
)
"""English words that tell wordings apart hardly ever; a phrase or a count may still begin with one."""
CHINESE_FILLERS = "的了是在会就都也很还和与或把被给让我你他她它们这那个有时候后以用到从对为要能又再之其来去说一下上着过啊呢吧吗，。；：、！？"

DENIALS = frozenset(
    "not no never nothing none neither nor without nobody cannot cant dont doesnt didnt isnt wont wouldnt couldnt".split()  # noqa: SIM905
)
CHINESE_DENIALS = ("没有", "不会", "不再", "并未", "没", "不", "未", "无")
