"""Whether the words before a log speak of a machine, of a program, or of whoever writes.

"Second start on the same node:" does, "The professor's reply:" does not. There are more kinds of texts that tell of
errors than anyone can list, and few words with which people introduce what their own machine has printed.
"""

from __future__ import annotations

from ..patterns import lazy_pattern

_GROUND = lazy_pattern(
    r"(?i)[\d\[\]{}<>=|#@$\\/_`*+]|[^\x00-\x7f\u2010-\u201d\u4e00-\u9fff\uff00-\uff5e\u3001\u3002]"
    r"|\b(?:err|errors?|exceptions?|warn\w*|fail\w*|faults?|crash\w*|hang\w*|hung|freez\w*|stuck|dies?|died|dead|abort\w*|exit\w*|stop\w*|kill\w*|start\w*"
    r"|runs?|ran|running|launch\w*|logs?|output|outputs|stdout|stderr|trace\w*|backtrace|stack\w*|dmesg|syslog|console|terminal|screen|kernel|journal\w*"
    r"|messages?|prints?|printed|shows?|showed|reports?|says?|gets?|got|sees?|saw|have|has|had|when|while|after|before|then|now|again|here|today|our|my|mine"
    r"|we|i|it|its|this|these|that|following|below|above|nodes?|ranks?|hosts?|gpus?|cards?|pods?|containers?|jobs?|train\w*|serv\w*|infer\w*|bench\w*|tests?|commands?"
    r"|results?|scripts?|code|config\w*|problems?|issues?|bugs?|symptoms?|calls?|calling|workers?|process\w*|servers?|clients?|drivers?|docker|slurm|ray|vllm|nccl"
    r"|rccl|cuda|rocm|torch\w*|hip|mpi\w*|full|happens?|happened|reproduc\w*|detail\w*|environment|environ|env|system|state|status|relevant|part|end|beginning|last|first"
    r"|actual|behaviou?rs?|caus(?:e|ed|es|ing)|reasons?|culprit|info|information|context|attached|which|throws?|threw|rais\w*|resulting|leading"
    r"|ends|ending|complains|complaining|pops|popped|debug\w*|verbose|event|hardware|instance|vms?|infiniband|nvlink|gloo|kubernetes|apptainer|tmux|bare|flags?|every|each|away"
    r"|load\w*|build\w*|install\w*|import\w*|version\w*|topology|snippet|excerpt|tail|head"
    r"|machines?|al|el|la|le|les|des|du|der|die|das|dem|den|auf|beim|nach|im|ein\w{0,2}|sur|cette|au|en|por|con|una?|este|esta|nel|il|com|ao|na)\b"
    r"|[报错误异常败日志输出打印提示显现运行启动训练推跑卡挂崩死退节机集群容进程如下在后时我本这今结果信息内命令执环境配置问题象堆栈控制终端核]"
)
"""With the small words of languages in which this does not know what people say."""
_WORDS = lazy_pattern(r"\W{0,6}(?=[^\W\d_])[^\n]{1,80}\Z")
_YAML = lazy_pattern(r"\s{0,40}(?:- )?[\w.-]{1,60}:\s{0,8}\Z")


def is_grounded(lead: str) -> bool:
    """Whether a lead names anything of what it may stand over; keys, and what is no words, are not judged."""
    if not _WORDS.match(lead) or _YAML.match(lead):
        return True
    return bool(_GROUND.search(lead))
