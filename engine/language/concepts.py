# ruff: noqa: E501  (one concept is one entry)
"""What people call by several names, as data: one concept, then its words and phrases, English and Chinese.

A sentence and a wording are compared by concepts, so that "卡死", "stuck" and "makes no progress" are one thing.
English stands here in any form (it is stemmed when the table is read), ``;`` between phrases; filler words inside of a
phrase do not count. Chinese words are cut out of the text, the longest first.
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

CONCEPTS = {
    "hang": """go silent; goes silent; went silent; no sign of life; no signs of life; never proceed; never proceeds; not go further; not go any further; lock; locked up; jam; jams; never resume; never resumes; sits forever; hang; hung; hanged; stuck; freeze; froze; frozen; stall; deadlock; dead lock; halt; unresponsive; suspend; lock up; locks up
        no progress; not progress; not make progress; stop making progress; stop progressing; stops making progress; no further progress
        never return; not return; never finish; not finish; never end; not end; never complete; not complete; never come back; never came back; not come back
        never stop waiting; nothing happen; nothing more; nothing further; nothing move; not move; never move; no output; no more output
        no response; not respond; never respond; stop responding; stop answering; stop; stopped; no answer; not answer; wait forever; waits indefinitely; wait indefinitely; block forever
        blocked forever; block indefinitely; not proceed; not continue; not advance; stand still; stop moving; spins forever; never get past
        卡住 卡死 卡在 卡着 卡到 卡主 停了 停止 挂起 挂住 死锁 阻塞 无响应 没有响应 没反应 没有反应 不动 不动了 一动不动 一直等待 停住 停在 停滞 夯住 僵住 不返回 一直不返回 没有返回 没有进展 没进展 一直不结束 失去响应 没有输出 僵死 假死 停摆 不再输出 不往下走 无输出 没输出 毫无反应 卡了""",
    "fail": """bail out; bails out; bailed out; collapse; fall over; falls over; explode; fail; failure; crash; abort; die; died; dead; error; exception; terminate; break; broke; broken; exit; segfault; refuse; blow up
        cannot run; impossible; not possible; problem; trouble; stop with error; stop with exception; stops with message; stop working; stops working; unable
        报错 失败 崩溃 挂掉 挂了 出错 异常 退出 错误 不行 坏了 有问题 中断 起不来 跑不通 崩了 炸了 闪退 不成功""",
    "timeout": "time out; timed out; timeout; timing out; times out 超时",
    "work": """work; fine; ok; okay; solves problem; solve problem; solves issue; fix problem; fixes problem; fixed problem; succeed; success; successful; successfully; pass; normal; good; healthy; unaffected; right; correct; correctly; finite; avoid; solve; solved; fixed; fix; help; runs through; problem disappear; error disappear; hang disappear; issue disappear; crash disappear; goes away; went away; is gone
        no problem; no issue; no trouble; without problem; without issue
        正常 成功 没问题 没有问题 没事 可用 好了 能用 就可以 可以跑 可以运行 可以正常 解决了问题 问题解决 就解决 后解决 能跑 跑通""",
    "slow": """sluggish; crawl; half speed; bottleneck; painfully slow; awfully slow; slow; slower; slowly; slowness; slow down; low bandwidth; poor bandwidth; low throughput; poor performance; bad performance; low performance; performance drop; throughput drop; bandwidth drop
        takes forever; take very long; takes too long; take far too long
        很慢 变慢 还慢 反而更慢 慢很多 太慢 更慢 缓慢 速度慢 龟速 特别慢 非常慢 性能差 慢了""",
    "wrong": """random characters; random text; random tokens; scrambled; unreadable; weird; wrong; incorrect; garbage; gibberish; garbled; nonsense; corrupt; corrupted; corruption; no sense; not make sense; incoherent; mangled; rubbish; meaningless; word salad
        乱码 不对 不正确 结果错误 输出错误 胡言乱语 数据错误 错乱 胡说 乱七八糟""",
    "eitherway": "with or without; or without; with and without; and without",
    "quietly": """without error; without any error; no error; no errors; no error message; without message; without warning; no exception; no log; not print anything; without error or timeout; no error or timeout; no error no timeout; nothing logged
        没有报错 没报错 不报错 没有错误 没有任何报错""",
    "unused": "not use; not uses; not using; never use; never uses; never used; not rely; not need; not want; not require; not choose; without using 没有使用 不使用 没使用 没有用到 没用到 用不到 不需要 不想用",
    "short": "not enough; insufficient; too small; exhausted; exhaust; too little 不足 不够 太小 不够用 用完 耗尽",
    "rightafter": "right after; right at; right before; right away; right now",
    "allreduce": "allreduce; all reduce; all reduction; 全规约 全归约",
    "allgather": "allgather; all gather",
    "alltoall": "alltoall; all to all; a2a",
    "pointtopoint": "point to point; send recv; sendrecv; send receive; send/recv",
    "collective": "collective; collective operation; collective communication 集合通信 集合操作",
    "broadcast": "broadcast 广播",
    "barrier": "barrier; wait for everyone; main process first 屏障 同步点",
    "communication": "communication; communicate 通信 通讯",
    "init": """init; initialize; initialise; initialization; initialisation; initializing; startup; start up; starting up; starts up; boot up; launch; come up; comes up; engine start; server start
        初始化 启动""",
    "initdone": "init complete; init completes; initialization completes; initialization complete; everything starts up; ranks join 初始化完成 初始化成功",
    "lastline": "last line; last message; last output 最后一行 日志停在",
    "processgroup": "process group; init process group; create process group; distributed environment; init distributed 进程组 通信组",
    "load": "load; loading model; model loading; load weights; load checkpoint; loading weights 加载 载入",
    "first": "first; very first; initial 第一 首个 第一次 首次 第一个",
    "second": "second; later run; later runs; next run 第二 第二次 第二个",
    "step": "step; iteration; iter 步 迭代 步数",
    "epoch": "epoch 每轮",
    "batch": "batch; minibatch; mini batch 批次",
    "request": "request; prompt; query 请求",
    "inference": "inference; forward pass; infer; serving 推理 前向",
    "training": "training; train; finetune; fine tune; fine tuning; finetuning; pretraining 训练 微调",
    "while": "couple of hours; a couple of hours; couple of minutes; dozens; overnight; at some point; some point; after a while; for a while; some time; after some time; sometime; few hours; several hours; some hours; few minutes; several minutes; number of hours; for hours; after hours; an hour; hours; hour; days; day; few steps; few hundred; several hundred; few thousand; thousands; hundreds; few iterations; many steps; a long time; few epochs; minutes later; hours later; eventually; later 一段时间 几个小时 几小时 几天 小时 几千步 几百步 很久 很多步 一会儿 一阵子 几分钟 几轮 若干步 几百步 几十步 跑着跑着",
    "random": "random; randomly; occasional; occasionally; intermittent; intermittently; sporadic; sporadically; sometimes; now and then; from time to time; unpredictable; unpredictably; nondeterministic; non deterministic 随机 偶尔 偶发 有时 有时候 时不时 不定时",
    "middle": "middle; midway; halfway; mid run; mid training; during training 中途 中间 跑到一半 训练中",
    "end": "end; finish; finished; last; final; complete; completed; completes; completion; done; over 结束 最后 完成 最后一个 读完",
    "shutdown": "exit cleanly; not exit; never exit; not terminate; never terminate; at exit; on exit; tear down; teardown; destroy process group; shutting down; shut down 不退出 退出时",
    "reboot": "reboot; rebooting; restart machine; restart the machine; restart server; restart host; reset; power cycle; cold boot; fresh boot; reset machine 重启 重启机器 重启服务器",
    "update": "update; upgrade; upgrading; updating; migrate; migration; reinstall; reinstalling; switch to; bump 升级 更新 换了 重装 迁移 升级到",
    "downgrade": "downgrade; downgrading; roll back; rollback; rolling back; went back; go back; revert; reverting 降级 回退",
    "before": "before; previous; previously; until; old version; older; earlier; earlier version 之前 以前 原来 旧版本 旧的",
    "regression": "regression; regress",
    "driver": "driver 驱动",
    "smi": "nvidia smi; rocm smi; amd smi; xpu smi",
    "kernel": "kernel 内核",
    "version": "version; release 版本",
    "config": "configuration; config; setting; settings 配置 设置",
    "gpu": "gpu; gpus; card; graphics card; device; video card; dcu; cuda device 显卡 卡 设备 块卡 张卡",
    "node": "node; machine; host; computer; box; workstation 节点 机器 主机 台机器 服务器",
    "container": "container; docker; pod 容器 镜像",
    "vm": "virtual machine; vm; guest 虚拟机",
    "rank": "rank",
    "rank0": "rank 0; rank zero; main process; master process; rank0; primary process; local rank 0 主进程 主节点进程",
    "worker": "worker; worker process; subprocess; sub process; child process 工作进程 子进程",
    "process": "process; processes 进程",
    "engine": "engine; engine core; enginecore; engine process 引擎",
    "server": "server; service; api server; endpoint 服务",
    "wait": "wait; waiting; waits 等待 等着 在等 一直等",
    "full": "fully loaded; flat out; 100%; 99%; 100 percent; full utilization; fully utilized; fully utilised; full load; maxed out; pegged; max out 占满 打满 满载 跑满 满了 利用率满 拉满",
    "util": "utilization; utilisation; usage; util; load average; gpu util 利用率 使用率 占用率 占用",
    "power": "power; watt; watts; power draw; power consumption; power usage 功耗",
    "low": "low; lower; little; small; poor 很低 较低 偏低 低",
    "idle": "idle; do nothing; doing nothing; not used; unused; empty 空闲 闲置 空的",
    "bandwidth": "bandwidth; busbw; bus bandwidth; bus bw; throughput; algbw 带宽 吞吐",
    "latency": "latency 延迟 时延 耗时",
    "performance": "performance; speed 性能 速度 效率",
    "expect": "expect; expected; should be; supposed to; theoretical; nominal 预期 应该 理论",
    "p2p": "p2p; peer to peer; peer2peer; peer access; peer-to-peer; access each other; cuda p2p 点对点",
    "p2poff": "p2p disable; p2p disabled; disable p2p; disabling p2p; without p2p; p2p off; turning off p2p; turn off p2p; turning p2p off; switching p2p off; nccl p2p disable; p2p disable 1 关闭p2p 禁用p2p 关了p2p 关掉p2p",
    "noeffect": "no effect; no difference; not help; did not help; changes nothing; change nothing; not change anything; no change; not matter; without success; not solve; not fix; no luck; in vain; same result; useless 没有用 没用 无效 不起作用 没有效果 也不行 也无效",
    "copy": "copy; copying; copied; transfer; move; moving; moved 拷贝 复制 拷到 传输",
    "zeros": "zero; zeros; zeroes; all zeros; all zero 全是0 全0 变成0 全为0",
    "tensor": "tensor; tensors; data; values; value 张量 数据",
    "output": "output; answer; result; response; generated text; reply; generation result 输出 结果 回答 生成结果",
    "repeat": "repeat; repeated; repeating; repetition; repetitive; exclamation mark; exclamation marks 重复 感叹号",
    "nan": "nan; nans; not a number; inf",
    "gradient": "gradient; grad norm; gradient norm; grad; gradnorm 梯度",
    "graph": "cuda graph; hip graph; graph; cudagraph; graphs cuda图",
    "eager": "eager; enforce eager; eager mode; disable cuda graph; disabling cuda graph; without cuda graph; cuda graph off; turning off cuda graph; no cuda graph; disabling graph capture; cuda graph disabled; graph off 禁用图捕获",
    "capture": "capture; capturing; captured 捕获",
    "kill9": "kill 9; sigkill 杀不掉 杀不死 无法杀死",
    "kill": "kill; killed; killing 杀掉 被杀",
    "zombie": "zombie; defunct; d state; uninterruptible; uninterruptible sleep 僵尸 僵尸进程",
    "oom": "out of memory; oom; run out of memory; memory run out; runs out of memory; run out of vram; not enough memory; not enough gpu memory; memory exhausted; oomkilled 显存不足 爆显存 显存不够 内存不足 内存溢出 内存爆了 oom",
    "memory": "memory; vram; ram 显存 内存",
    "shm": "shm; shared memory; dev shm 共享内存",
    "connect": "connect; connection; connecting; reach; reachable; join; communicate with; contact; talk to 连接 连上 加入 连不上",
    "unreachable": "unreachable; cannot connect; not connect; cannot reach; not reach; connection refused; not join; never join; not communicate; cannot communicate; not reachable 连不上 无法连接 连接失败 无法通信 不通",
    "missing": "missing; disappear; vanish; lost; lose; drop off; fall off; fallen off; fell off; gone missing 丢失 少了 不见了 没了 掉了 掉线 掉卡 消失",
    "see": "see; visible; detect; find; recognize; recognise; show up; list; found; detected; seen; available; shows 看到 检测到 识别到 找到 识别",
    "unseen": "not usable; unusable; not exposed; invisible; not present; not appear; never appear; zero devices; 0 devices; not see; not visible; not detect; not find; not recognize; not recognise; not show up; cannot see; no gpu found; not found; not seen; not list; sees no; finds no; no cuda device; no gpu; not available; unavailable; undetected 检测不到 识别不到 看不到 找不到 没有检测到 识别不了 不可用 不见 不识别 没识别到 没找到 查不到 不认",
    "ray": "ray; ray cluster",
    "resources": "resource; placement group; resources 资源",
    "pending": "pending; unschedulable; cannot schedule; not schedule; not place; cannot place 调度不到 无法分配 一直pending",
    "weights": "weight; parameter; parameters; model weights 权重 参数",
    "sync": "sync; synchronize; synchronise; synchronization; update weights; weight update; weight sync; broadcasting weights 同步",
    "rollout": "rollout; inference engine; rollout engine; inference worker; vllm engine",
    "validation": "validation; validate; evaluation; evaluate; eval; validating; evaluating 验证 评估",
    "save": "save; saving; checkpoint; save checkpoint; saving checkpoint; save model; save pretrained; writing checkpoint; write checkpoint; checkpointing 保存 存模型 检查点",
    "generate": "generate; generation; predict with generate; model generate 生成 采样",
    "dataset": "dataset; data set; corpus; datasets 数据集 数据 语料",
    "large": "large; big; huge; full; whole 数据量大 量大 大数据集 全量",
    "smaller": "small dataset; smaller; subset; small part; reduce; reducing; fewer samples 数据集小 小数据 小数据集 较小 减少 小部分",
    "preprocess": "preprocess; tokenize; tokenise; tokenizing; tokenization; preprocessing; packing; process dataset; processing dataset; build index; data processing 预处理 处理数据 分词",
    "compile": "compile; compilation; compiling; torch compile; jit; building 编译",
    "uneven": "uneven; not evenly; different number; differ; different length; unequal; more batches; runs out of data earlier 不一样 不一致 不同 没有均分",
    "skip": "skip; skips; leave earlier; stop early; early stopping; break out; leaves loop 跳过 提前退出",
    "nvlink": "nvlink; nv link; nvlinks; nvlink bridge",
    "inactive": "inactive; down; not active; not detected 没有激活 未激活 不可用",
    "infiniband": "infiniband; ib; rdma; roce; hca 网卡",
    "socket": "socket; tcp; ethernet 以太网",
    "gdr": "gdr; gpudirect; gpu direct; gpudirect rdma; gpu direct rdma; gdrdma",
    "nic": "nic; nics; network card; network interface",
    "master": "master; master address; master addr; master node; head; head node; rendezvous store; tcpstore; store 主节点",
    "rendezvous": "rendezvous; rdzv 会合",
    "hostname": "hostname; host name; name resolution; resolve; dns 主机名 域名 解析",
    "port": "port; master port 端口",
    "inuse": "in use; already in use; taken; occupied; busy; already used 被占用 占用 冲突",
    "released": "release memory; freed; released; not freed; not released; stays allocated; remains allocated; still occupied; still allocated; not free 没有释放 不释放 没释放",
    "leftover": "leftover; stale; left over; old files; remain; remaining; leftovers 残留 旧文件",
    "throttle": "throttle; throttled; throttling; downclock; clocks drop; thermal slowdown; slowed down; overheating; overheat; too hot; overheated 降频 过热 温度过高",
    "hot": "heat; thermal; temperature 温度",
    "zero3": "zero 3; zero3; zero stage 3; stage 3; deepspeed zero 3; zero-3",
    "zero2": "zero 2; zero2; zero stage 2; stage 2; zero-2",
    "oneof": "particular; specific; certain; one particular; always same 同一张 某张 总是 某几张 固定",
    "extension": "extension; torch extensions; fused adam; cpu adam; jit extension; cuda extension 扩展",
    "illegal": "illegal memory access; illegal address; illegal access 非法内存访问 非法访存",
    "duplicate": "duplicate; duplicate gpu; same gpu; same device; share gpu; sharing one gpu 同一张卡 同一块gpu 重复的gpu",
    "ordinal": "ordinal; device ordinal; invalid device ordinal; device index; device id; out of range 设备编号",
    "fabricmanager": "fabric manager; fabricmanager; nvidia fabricmanager",
    "mismatch": "mismatch; not match; does not match; incompatible 不匹配 不一致",
    "library": "library; libnccl; lib 库",
    "watchdog": "watchdog",
    "stack": "stack; py spy; backtrace; stack trace 堆栈",
    "whole": "whole; entire; complete system; itself 整机 整台 整个",
    "night": "night; every night; every day 每天 每晚",
    "position": "same step; same iteration; same point; same place; every time at 同一步",
    "times": "times; fold; factor; x slower 倍",
    "morethan": "more than; or more",
    "only": "only; just 只有 只要 只在 才会 仅",
    "different": "different; another; other combination; other set 换其他 换一个 换",
    "tp": "tensor parallel; tensor parallelism; tp size 张量并行",
    "off": "disable; disabled; disabling; turn off; turning off; switch off; switching off 关闭 禁用 关了",
    "on": "enable; enabled; enabling; turn on; turning on 开启 启用 打开",
}
