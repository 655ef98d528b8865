# ruff: noqa: E501  (an expression is one line)
"""How engineers word one thing, in English and Chinese: one wording a line.

A wording is an expression in lower case. It begins with fixed text, which is what is searched for; where it does
not, the fixed text stands before ``=>``. ``MANY`` stands for the expression of that name.
"""

from __future__ import annotations

MANY = r"(?:[2-9]|1\d|two|three|four|six|eight|several|multiple|many|both|all|more than one)"
"""How several of something are counted."""

PHRASES = {
    "hang": r"""
hang(?:s|ing)?(?![a-z])
hanged
hung(?![a-z])
stuck(?![a-z])
freez(?:es|e|ing)
frozen?(?![a-z])
stall(?:s|ed|ing)?(?![a-z])
dead-?lock(?:s|ed|ing)?
never (?:return|finish|end|complet|progress|come|pass|respond|reach|get)\w*
no (?:further |more |any )?(?:progress|output|response)
block(?:s|ed) (?:forever|indefinitely|at|in|on|there)
stop(?:s|ped)?(?![a-z])(?! (?:working|it|the|vllm|using|with (?:an? |the |this )?(?:\w{1,16} )?(?:error|exception|message))| with:?$)
(?:do|does|did) not (?:return|finish|end|complete|progress|proceed|continue|respond|come back|move on)
(?:do|does|did)n.t (?:return|finish|end|complete|progress|proceed|continue|respond|come back|move on)
wait(?:s|ing)? (?:for ?ever|indefinitely|endlessly)
sit(?:s|ting)? (?:there|forever)
unresponsive
halt(?:s|ed)?(?![a-z])
keeps? waiting
spin(?:s|ning)(?![a-z])
卡住
卡死
卡在
卡到
卡顿
卡着
卡了
卡主
挂起
挂住
死锁
阻塞
无响应
没有响应
没反应
没有反应
一直等待
停住
停在
停留在
不动了
夯住
僵死
""",
    "fail": r"""
exits? (?:with|while|during|at|in)(?![a-z])
refused(?![a-z])
unreachable
fail(?:s|ed|ing|ures?)?(?![a-z])
crash(?:es|ed|ing)?(?![a-z])
abort(?:s|ed|ing)?(?![a-z])
errors?(?![a-z])(?! (?:handling|message was|code 0))
erroring
dies(?![a-z])
died(?![a-z])
exception
segfaults?
time(?:s|d)? ?-?out
break(?:s|ing)?(?![a-z])
broken(?![a-z])
cannot connect
can't connect
报错
失败
崩溃
挂掉
挂了
出错
异常
超时
""",
    "works": r"""
disappears?(?![a-z])
disappeared
goes away
went away
is gone(?![a-z])
solve[sd](?![a-z])
fix(?:es|ed)(?![a-z])
helps(?![a-z])
avoids(?![a-z])
without problems
without any problem
without issues
work(?:s|ed|ing)?(?![a-z])
fine(?![a-z-])
ok(?:ay)?(?![a-z])
runs(?![a-z])(?! (?:it|this|them|out of|into)(?![a-z]))
run => (?<!first )(?<!second )(?<!third )(?<!next )(?<!last )(?<!previous )(?<!this )(?<!that )(?<!the )(?<!a )(?<!an )(?<!each )(?<!every )(?<!one )(?<!my )(?<!our )(?<!test )(?<!training )(?<!i )(?<!we )(?<!you )(?<!to )(?<!long )(?<!new )run(?![a-z])(?! (?:it|this|them|out of|into|without)(?![a-z]))
ran(?![a-z])
running (?:fine|ok|well)
succeed(?:s|ed)?
success\w*
pass(?:es|ed)(?![a-z])
correct(?:ly)?(?![a-z])
right(?![a-z])
good(?![a-z])
normal(?:ly)?(?![a-z])
no (?:problem|issue|error|hang|failure|crash)(?:s|es)?
complet(?:es|ed)(?![a-z])
finish(?:es|ed)(?![a-z])
unaffected
(?:do|does|did) not (?:occur|happen|hang|fail|crash)
(?:do|does|did)n.t (?:occur|happen|hang|fail|crash)
starts (?:fine|ok|up)
正常
可以
没问题
没有问题
成功
没事
正确
不会(?:出现|卡|报错|发生|挂)
""",
    "one gpu": r"""
single (?:rtx |nvidia |amd |tesla )?[a-z]{0,3}\d{1,4}[a-z]{0,2}(?!\w)
one (?:rtx |nvidia |amd |tesla )[a-z]{0,3}\d{1,4}[a-z]{0,2}(?!\w)
one (?:gpu|card) alone
(?:gpu|card) alone
one (?:gpu|card|device|graphics card)(?!s)
single[ -](?:gpu|card|device|graphics card)(?!s)
gpu => 1[- ]?x?[- ]?gpu(?!s)
card => 1 ?x? ?card(?!s)
tp ?[=:]? ?1(?!\d)
tensor[-_ ]parallel[-_ ]size[= ]1(?!\d)
cuda_visible_devices=\d(?![,\d])
each (?:gpu|card|device) (?:on its own|alone|by itself|individually|separately)
either (?:gpu|card) (?:on its own|alone|by itself)
single[ -]process
single[ -]rank(?!s? ?\d)
one process
单卡
单gpu
单张
一张卡
一张显卡
1卡
1张卡
单进程
""",
    "several gpus": r"""
3090 => MANY ?[x×]? ?(?:rtx |tesla |instinct |rx |gpu )?3090[a-z]{0,3}(?![\w])
4090 => MANY ?[x×]? ?(?:rtx |tesla |instinct |rx |gpu )?4090[a-z]{0,3}(?![\w])
5090 => MANY ?[x×]? ?(?:rtx |tesla |instinct |rx |gpu )?5090[a-z]{0,3}(?![\w])
a100 => MANY ?[x×]? ?(?:rtx |tesla |instinct |rx |gpu )?a100[a-z]{0,3}(?![\w])
h100 => MANY ?[x×]? ?(?:rtx |tesla |instinct |rx |gpu )?h100[a-z]{0,3}(?![\w])
h200 => MANY ?[x×]? ?(?:rtx |tesla |instinct |rx |gpu )?h200[a-z]{0,3}(?![\w])
b200 => MANY ?[x×]? ?(?:rtx |tesla |instinct |rx |gpu )?b200[a-z]{0,3}(?![\w])
a6000 => MANY ?[x×]? ?(?:rtx |tesla |instinct |rx |gpu )?a6000[a-z]{0,3}(?![\w])
l40 => MANY ?[x×]? ?(?:rtx |tesla |instinct |rx |gpu )?l40[a-z]{0,3}(?![\w])
l4 => MANY ?[x×]? ?(?:rtx |tesla |instinct |rx |gpu )?l4[a-z]{0,3}(?![\w])
v100 => MANY ?[x×]? ?(?:rtx |tesla |instinct |rx |gpu )?v100[a-z]{0,3}(?![\w])
mi300 => MANY ?[x×]? ?(?:rtx |tesla |instinct |rx |gpu )?mi300[a-z]{0,3}(?![\w])
mi250 => MANY ?[x×]? ?(?:rtx |tesla |instinct |rx |gpu )?mi250[a-z]{0,3}(?![\w])
7900 => MANY ?[x×]? ?(?:rtx |tesla |instinct |rx |gpu )?7900[a-z]{0,3}(?![\w])
gpu => MANY(?: or more)? ?[x*×]? ?(?:\w{1,12} )?gpus?(?![a-z])
card => MANY (?:\w{1,12} )?cards
device => MANY devices
multi[- ]?gpu
multi[- ]?card
tp ?(?:size)? ?[=>:]{0,2} ?(?:[2-9]|1\d)(?!\d)
tensor[-_ ]parallel(?:ism)?(?:[-_ ]size)?(?: ?[=:]? ?(?:[2-9]|1\d)(?!\d))?
pp_size ?[=>]
pipeline[-_ ]parallel
tp => --?tp(?:-size)? [2-9]
more gpus
双卡
多卡
多gpu
两张
多张
卡 => (?:[2-9]|1\d|[两双多四八])张?(?:显)?卡
""",
    "one node": r"""
one (?:\w{1,12} )?box(?![a-z])
single (?:\w{1,12} )?box(?![a-z])
each node (?:alone|on its own|by itself)
single[- ](?:node|machine|host|server)(?![a-z])
one (?:node|machine|host|server)(?![a-z])
with?in (?:a|one|the same|each) (?:node|machine|host|server)
intra-?node
node => 1[- ]node(?!s)
same node
单机
单节点
节点内
一台机器
单台
""",
    "several nodes": r"""
boxes => MANY (?:\w{1,12} )?boxes
node => (?:two|three|four|eight|[2-9]|\d\d)-node(?![a-z])
node => MANY[- ]?x? ?(?:\w{1,12} )?nodes(?![a-z])
multi[- ]?nodes?(?![a-z])
multi[- ]?(?:host|machine|server)
machine => MANY (?:machines|servers|hosts)
across (?:the )?(?:nodes|machines|hosts|servers|racks)
between (?:the )?(?:nodes|machines|hosts|servers)
inter-?node
cross-?node
different (?:switches|racks|machines|hosts|servers)
dgx => [2-9]x (?:\w+ )?dgx
多机
跨节点
跨机
两台
双机
多节点
节点 => (?:[两多双]|[2-9])个?节点
""",
    "init": r"""
engine loading
engine build
server start
building the engine
init torch distributed
init nccl
using model weights
model loading
weights? loading
checkpoint loading
nccl init\w*
nccl_init
nccl/rccl init\w*
rccl init\w*
ncclcomminit\w*
ncclgroupend
commini\w+
communicator (?:init|creat|setup|set-up)\w*
creat\w+ (?:the |a |nccl |new )*communicators?
init_process_group
process[- ]?group (?:init|creat)\w*
initiali[sz](?:ation|ing|es|e)
(?:at|in|during|on) init(?![a-z])
distributed init
start-?up(?![a-z])
(?:while|during|at|on|in|when) (?:the )?(?:model |weight )?(?:load|start)ing
loading (?:the )?(?:model|weights|checkpoint)
nccl version
before (?:any )?init complete
初始化
启动
加载模型
加载权重
建立通信
""",
    "collective": r"""
all[-_ ]?reduce\w*
all[-_ ]?gather\w*
reduce[-_ ]?scatter\w*
broadcast(?![a-z_])
all[-_ ]?to[-_ ]?all\w*
collectives?(?![a-z])
nccl(?:all|broad|reduce|send|recv)\w*
_perf => \w{1,40}_perf
_test => all_\w{1,20}_test
nccl[- ]tests?
rccl[- ]tests?
p2pbandwidthlatencytest
sendrecv
nccl warm-?up
warm-?up(?![a-z])
first (?:\w{1,12} )?(?:request|step|forward|batch|iteration|inference|prompt|communication|call|backward)
generate(?![a-z])
forward pass
inference
0% => (?<!\d)0 ?%
right after (?:the )?start\w*
after (?:nccl |rccl )?init\w*
init complete
集合通信
第一次通信
推理
第一步
预热
首个请求
第一个请求
""",
    "barrier": r"""
barrier
wait_for_everyone
main_process_first
local_main_process_first
屏障
同步点
""",
    "at the end": r"""
end of (?:the |an |each |every |a |first |last |my |our )*(?:epoch|data|dataset|data set|run|training|job|script|loader)
epoch ends?
(?:at|on|during|before|after) (?:the )?(?:process )?exit(?:ing)?(?![a-z])
last (?:batch|step|iteration|epoch|sample)
final (?:batch|step|iteration|epoch)
destroy_process_group
after (?:the )?training (?:has )?(?:finish|end|complet)\w*
training (?:is )?(?:finished|done|completed?)
tear-?down
shutdown
exiting
训练结束
结束时
最后一个
最后一步
退出时
epoch结束
""",
    "mid-run": r"""
and then(?= .{0,30}(?:hang|freez|stall|stuck|stops))
for a while
at first(?![a-z])
after (?:about |around |roughly |~ ?|running (?:for )?)?(?:\d+|some|one|two|three|several|many|hours|minutes|days)
after (?:about |around |roughly |running (?:for )?)?(?:a few|a while|a couple|hundreds|thousands)
(?:at|in) random
random(?:ly)?(?![a-z])
occasional(?:ly)?
intermittent(?:ly)?
sporadic(?:ally)?
sometimes
now and then
from time to time
once in a while
every (?:few |couple of |~ ?|\d+[ -](?:to )?\d* ?)(?:minutes|hours|steps|iterations|requests|days)
under (?:heavy |high |\S+ |concurrent )?load
under decode
mid-?(?:run|training|epoch)
middle of
eventually
periodically
(?:at|around) (?:step|iteration|epoch|about \d+ ?%) ?\d*
long run
later(?= (?:runs? |it |steps? )?(?:hang|freez|stuck|gets stuck))
after resum\w+
after (?:wake|sleep)\w*
non-?deterministic(?:ally)?
unpredictabl[ey]
随机
偶尔
偶发
有时
一段时间
几个小时
中途
跑了
训练到
运行到
""",
    "graphs": r"""
cuda[- ]?graphs?
hip[- ]?graphs?
cudagraphs?
graph (?:capture|replay|mode)
captur(?:ing|e) (?:the )?(?:cuda |hip )?graphs?
captured
capturing
图捕获
cuda图
""",
    "eager": r"""
--enforce-eager
enforce[-_]eager
eager(?: mode)?(?![a-z])
without (?:cuda |hip )?graphs?
(?:cuda |hip )?graphs? (?:off|disabled)
--disable-cuda-graph
disabling (?:cuda |hip )?graphs?
关闭cuda graph
禁用cuda graph
""",
    "full use": r"""
% => (?:100|9[5-9]) ?%(?: ?(?:gpu|gpu-util\w*|util\w*|use|usage|load|busy))?
100 percent
gpus? (?:are |stay |remain |is )?(?:fully )?busy
busy[- ]?(?:wait|loop|spin)\w*
fully utili[sz]ed
full (?:utili[sz]ation|load)
利用率(?:较高|很高|满|100)
满载
占满
打满
""",
    "gpu": r"""
gpus?(?![a-z])
cards?(?![a-z])
sm util\w*
volatile
rank(?:s)?(?![a-z])
显卡
利用率
""",
    "machine": r"""
(?:whole |entire |complete )?(?:machine|server|computer|host|workstation|pc|box)(?![a-z])
whole (?:system|machine|host|server|node)
entire (?:system|machine|host|server|node)
整机
机器
服务器
主机
系统
""",
    "machine stops": r"""
freez(?:es|e|ing)(?![a-z])
frozen?(?![a-z])
hard[- ]?(?:hang|lock|reset|freeze)\w*
lock(?:s|ed)? up
reboot(?:s|ed|ing)?(?![a-z])
restart(?:s|ed)(?![a-z])
reset(?:s|ting)?(?![a-z])
power(?:s|ed)? (?:itself )?(?:off|cycle|down)\w*
(?:switch(?:es|ed)?|turn(?:s|ed)?) (?:itself )?off(?![a-z])
crash(?:es|ed)(?![a-z])
shut(?:s)? (?:down|off)
unreachable
black screen
死机
重启
卡死
宕机
黑屏
""",
    "wrong output": r"""
outputs? (?:is|are|was|were|becomes?|gets?|turns?) (?:\w{1,12} )?(?:corrupt|wrong|incorrect|random|broken)\w*
results? (?:is|are|was|were|becomes?|gets?|turns?) (?:\w{1,12} )?(?:corrupt|wrong|incorrect|random|broken)\w*
answers? (?:is|are|was|were|becomes?|gets?|turns?) (?:\w{1,12} )?(?:corrupt|wrong|incorrect|random|broken)\w*
tokens? (?:is|are|was|were|becomes?|gets?|turns?) (?:\w{1,12} )?(?:corrupt|wrong|incorrect|random|broken)\w*
responses? (?:is|are|was|were|becomes?|gets?|turns?) (?:\w{1,12} )?(?:corrupt|wrong|incorrect|random|broken)\w*
garbage(?! ?collect)
garbled
mangled
gibberish
nonsens\w+
word salad
repeat(?:ed|ing|s)? (?:tokens?|characters?|words?|exclamation)
exclamation marks?
!!!!
wrong (?:tokens?|outputs?|results?|data|answers?|values?|numbers?)
incorrect (?:tokens?|outputs?|results?|data|answers?|values?)
corrupt(?:ed|s)? (?:tokens?|outputs?|results?|data|tensors?|values?|weights?)
silent(?:ly)? (?:data )?corrupt\w*
data corruption
incoherent
random (?:tokens?|characters|text)
meaningless
silently wrong
乱码
胡言乱语
输出错误
结果错误
结果不对
输出异常
数据错误
感叹号
""",
    "slow": r"""
% of => \d{1,2} ?% of (?:the )?(?:expected|theoretical|nominal|peak|line|full)
bandwidth (?:of |is |only |was |at )?\d[^.;]{0,30}(?:expected|instead of|should be|rather than)
throughput (?:is |was |stays )?(?:very |too )?(?:poor|low|bad)
busbw (?:is |of |only |at ){0,2}\d[^.;]{0,30}(?:expected|instead of|should be)
slow(?:er|ly|ness|down)?(?![a-z])
half (?:as fast|the speed|the bandwidth)
low (?:bus ?)?(?:bandwidth|busbw|throughput|performance)
poor (?:bandwidth|performance|throughput)
bad (?:bandwidth|performance|throughput)
bandwidth (?:is |was |stays |remains )?(?:very |too |only |far |well |much )?(?:below|low|falls|drops|poor|bad|short)
(?:below|under|short of) (?:the )?(?:expect\w*|theoretical|spec\w*|line rate)
performance (?:drop|regress|degrad)\w*
regress(?:ion|ed|es)
takes (?:several|many|\d{2,}|\d+\.\d) ?(?:ms|s|sec|seconds|times)
takes \d{3,} ?ms
很慢
变慢
太慢
带宽低
带宽很低
速度慢
性能下降
""",
    "communication": r"""
collectives?(?![a-z])
all[-_ ]?reduce\w*
all[-_ ]?gather\w*
reduce[-_ ]?scatter
all[-_ ]?to[-_ ]?all\w*
nccl(?![a-z_])
rccl(?![a-z_])
communications?
nccl[-_ ]tests?
bus ?bw
busbw
bandwidth
sendrecv
inter-?node
通信
带宽
""",
    "denies p2p": r"""
nccl_p2p_disable(?: ?= ?1)?
p2p (?:is |was |switched |turned )*(?:off|disabled)
(?:disabling|without) (?:nccl )?p2p
with p2p (?:off|disabled)
关闭p2p
禁用p2p
""",
    "p2p on": r"""
p2p (?:is |was |switched |turned )*(?:on(?![a-z])|enabled)
p2p=enabled
with p2p(?! (?:off|disabled))
enabling p2p
over p2p
p2p (?:writes|reads|copies)
开启p2p
启用p2p
""",
    "no effect": r"""
makes? no difference
made no difference
(?:has|had|have) no (?:effect|influence|impact)
(?:do|does|did) not (?:help|change|fix|solve|matter)
(?:do|does|did)n.t (?:help|change|fix|solve|matter)
no (?:effect|difference|change|help)(?![a-z])
changes? nothing
same (?:hang|result|error|problem|behaviou?r|issue|with|even)
still (?:hang|stop|stuck|fail|freez|crash|stall|the same|happen|occur)\w*
also (?:hang|stop|stuck|fail|freez|crash|stall)\w*
as well(?![a-z])
(?:hang|stop|fail)s? too(?![a-z])
没有用
没用
无效
不起作用
仍然
还是
依旧
依然
""",
    "after a change": r"""
no (?:issue|problem|error|hang|crash)(?:s|es)? (?:before|until|with the (?:old|previous))
(?:after|since|following) (?:[\w.-]{1,20} ){0,4}(?:upgrad|updat|re-?install|migrat|downgrad|kernel|driver change)\w*
(?:after|since|following) (?:[\w.-]{1,20} ){0,4}(?:bios|firmware|patch|toolkit|reboot(?!(?:ing)? (?:works?|it works)))\w*
(?:works|worked|fine|ok) with (?:[\w.-]{1,20} ){0,5}(?:old|older|previous|earlier) (?:\w+ )?(?:image|version|release|driver|container)
after (?:changing|switching|moving|replacing|adding|upgrading|updating|installing|rebooting)(?! gpu)
(?:began|started|starts|appeared|broke)\w* (?:\w+ing )?(?:after|since|with) (?:[\w.-]{1,20} ){0,4}(?:upgrade|update|reboot|release)
(?:began|started|starts|appeared|broke)\w* (?:\w+ing )?(?:after|since|with) (?:[\w.-]{1,20} ){0,4}(?:change|driver|kernel|version)
since (?:we |i )?(?:upgraded|updated|switched|moved|changed)
worked (?:fine |well )?(?:before|until|with the (?:old|previous))
unattended[- ]upgrade
systemctl daemon-reload
(?:new|newer) (?:driver|kernel|container|image|release) (?:broke|breaks|fails)
regression (?:from|since|in)
升级.{0,10}后
更新.{0,10}后
升级到
更换驱动后
重启后
重装后
更新驱动后
升级之后
之前正常
以前正常
""",
}

DENIABLE = {"hang", "fail", "works", "full use", "machine stops", "wrong output", "slow"}
"""Phrases that do not count behind a denial: "no hang", "does not hang", "不会卡住"."""
