"""Shapes in which secrets come, each with what must not be shown of it; and what looks similar and must stay."""
# ruff: noqa: E501

from __future__ import annotations

import base64

from .furthershapes import ATTACKED
from .lastshapes import ATTACKED_TOO, MARKED_TOO, RANDOM
from .moreshapes import FOUND, READABLE, TOLD
from .printedshapes import PRINTED, UNHARMED
from .rareshapes import HEX, MIXED, PLACED, SELF_SAID

SHORT = "Zq7"
PLAIN = "hunter2"
WORD = "Zq7pLaNtEdX9w"
SPACED = "Zq7 pLaNtEd X9w"
AT = "Zq7@pLaNtEd@X9w"
BASE = base64.b64encode(b"me:Zq7pLaNtEdX9w").decode()

NAMED = [
    # as variables, in every way that variables are written
    "HF_TOKEN={}", "export HF_TOKEN={}", "export HF_TOKEN='{}'", 'HUGGING_FACE_HUB_TOKEN="{}"', "WANDB_API_KEY={}",
    "AWS_SECRET_ACCESS_KEY={}", "AWS_SESSION_TOKEN={}", "AZURE_CLIENT_SECRET={}", "AZURE_STORAGE_KEY={}",
    "OPENAI_API_KEY={}", "ANTHROPIC_API_KEY={}", "GITHUB_TOKEN={}", "GITHUB_PAT={}", "NVIDIA_PAT={}", "GITLAB_TOKEN={}",
    "CI_JOB_TOKEN={}", "NGC_API_KEY={}", "NGC_CLI_API_KEY={}", "SLACK_BOT_TOKEN={}", "DATABASE_DSN=me/{}@db",
    "SENTRY_DSN=https://{}@o1.ingest.example.com/2", "DB_PASS={}", "DB_PASSWORD={}", "PGPASSWORD={}", "MYSQL_PWD={}",
    "REDISCLI_AUTH={}", "SSHPASS={}", "SGL_PW={}", "API_PW={}", "RAY_AUTH_TOKEN={}", "VAULT_TOKEN={}", "COMET_API_KEY={}",
    "MLFLOW_TRACKING_PASSWORD={}", "NEPTUNE_API_TOKEN={}", "CLEARML_API_SECRET_KEY={}", "SIGNING_KEY={}", "MYAUTH='{}'",
    "-e GITHUB_PAT={}", "docker run -e HF_TOKEN={} img", "--env=WANDB_API_KEY={}", "os.environ['HF_TOKEN'] = '{}'",
    "environ({{'HF_TOKEN': '{}', 'RANK': '0'}})", "('HF_TOKEN', '{}')", "Environment=HF_TOKEN={}",
    "set -x HF_TOKEN {}", "setenv HF_TOKEN {}", "HF_TOKEN={} python train.py",
    # options
    "vllm serve m --api-key {}", "--api-key={}", "['vllm', 'serve', '--api-key', '{}']", '["--hf-token","{}"]',
    "args:\n- --api-key\n- {}", "--password {} --user me", "--redis-password='{}'", "ray start --redis-password {}",
    "--token {}", "huggingface-cli login --token {}", "--auth-token \"{}\"", "--client-secret {}", "-password {}",
    "api_key='{}'", "api_key=['{}']", "Namespace(api_key='{}', port=8000)", "api_key=[{}]", "LLM(hf_token=\"{}\")",
    # documents
    '{{"password": "{}"}}', '{{\\"password\\": \\"{}\\"}}', '{{"a": {{"apiKey":"{}"}}}}', '{{"api_key" : "{}", "n": 1}}',
    "password: {}", "  password: '{}'", "db:\n  password: \"{}\"", "client_secret: {}", "secretAccessKey: {}",
    "password: |\n  {}", "token: {}", '"auth": "{}"', '"identitytoken": "{}"', "<password>{}</password>",
    '<add key="DbPassword" value="{}"/>', '{{"name":"DB_PASSWORD","value":"{}"}}', "- name: HF_TOKEN\n  value: {}",
    "- name: HF_TOKEN\n  value: \"{}\"", "{{'name': 'API_KEY', 'value': '{}'}}", "bindpw={}", "bindpw {}", "db.password={}",
    "spring.datasource.password = {}", "password => '{}'", "passphrase: {}", "private_key = \"{}\"", "aws_secret_access_key = {}",
    "API Key: {}", "Access Key: {}", "session_token := {}", "refresh_token: '{}'", "\"access_token\":\"{}\"", "api-key: {}",
    "jwt={}", "psk=\"{}\"", "auth_token={}",
    # connection strings and addresses
    "http://user:{}@proxy:3128/", "HTTPS_PROXY=http://u:{}@proxy:3128", "http_proxy=u:{}@h:3128", "https://{}abcdefgh@github.com/x",
    "git clone https://oauth2:{}@gitlab.com/a/b.git", "postgres://u:{}@db/x", "postgresql+psycopg2://u:{}@db:5432/x",
    "redis://:{}@host:6379/0", "mongodb+srv://u:{}@c.example.net", "amqp://u:{}@mq:5672", "mysql://root:{}@tcp/x", "root:{}@tcp(127.0.0.1:3306)/db",
    "Server=db;User Id=me;Password={};", "Server=db;Pwd={};Database=x", "AccountName=a;AccountKey={};EndpointSuffix=x",
    "Endpoint=sb://x/;SharedAccessKey={}", "jdbc:oracle:thin:me/{}@db:1521", "jdbc:mysql://h/d?user=me&password={}", "https://h/?pwd={}",
    "https://h/x?sig={}&se=1", "https://b/x?X-Amz-Signature={}", "https://b/x?X-Amz-Security-Token={}&a=1", "https://h/?access_token={}",
    "https://h/?api_key={}", "https://h/v1?key={}", "db.example.com:5432:mydb:me:{}", "*:*:*:me:{}", "pip --index-url https://u:{}@pypi.example.com/simple",
    # headers
    "Authorization: Bearer {}", "authorization=Basic {}", "curl -H 'Authorization: Bearer {}' http://h", "Authorization: token {}",
    '"Authorization": "Bearer {}"', "{{'authorization': 'Bearer {}'}}", "Proxy-Authorization: Basic {}", "X-Api-Key: {}",
    "X-Auth-Token: {}", "PRIVATE-TOKEN: {}", "Cookie: session={}; other={}", "{{'Set-Cookie': 'session={}'}}", "X-Vault-Token: {}",
    "Ocp-Apim-Subscription-Key: {}", "sent bearer {} to the hub", "> Authorization: Digest username=me, response={}",
    # commands
    "curl -u me:{} https://h", "curl --user me:{} https://h", "wget --password={}", "docker login -u me -p {}", "docker login -u me -p={} r.example.com",
    "az login --service-principal -p {}", "sshpass -p {} ssh h", "mysql -u root -p{}", "redis-cli -h h -a {} ping", "echo {} | docker login -u me --password-stdin r",
    "gh auth login --with-token <<< {}", "kubectl create secret generic x --from-literal=k={}", "openssl rsa -passin pass:{}", "wget --http-password {}",
    # files
    "machine h login me password {}", "machine api.wandb.ai\n  login user\n  password {}", "cannot log in with password '{}'",
    "users:\n- name: me\n  user:\n    token: {}", "    client-key-data: {}", '{{"auths":{{"https://r/":{{"auth":"{}"}}}}}}',
    "//registry.npmjs.org/:_authToken={}", "[default]\naws_session_token={}", "tls.key: {}", ".dockerconfigjson: {}", "hf auth token: {}",
]  # fmt: skip
"""A known name or place before the secret."""

SPOKEN = [
    # tables, spelt otherwise, in sentences, with tools
    'password is {}', 'Passwort: {}', '\u5bc6\u7801\uff1a{}', '\u5bc6\u7801\u662f {}', '\u53e3\u4ee4: {}', 'token\uff1a{}',
    'password\uff1a{}', 'password\uff1d{}', "export HF_TOKEN=$'{}'", 'HF_TOKEN+={}', 'HF_TOKEN?={}', 'ENV HF_TOKEN {}',
    'HF_TOKEN \u2192 {}', 'HF_TOKEN -> {}', '| HF_TOKEN | {} |', '| `HF_TOKEN` | `{}` |', 'HF_TOKEN,{}', '"HF_TOKEN","{}"',
    'HF_TOKEN\t{}', 'HF_TOKEN  {}', 'hf_token({})', "login('{}')", 'notebook_login("{}")', "wandb.login(key='{}')",
    "wandb.login('{}')", 'oauth2:{}@gitlab.com', 'echo {} | sudo -S reboot', "echo 'root:{}' | chpasswd", "printf '{}' | docker login --password-stdin",
    'useradd -p {} me', 'ipmitool -U admin -P {} -H h power cycle', 'ipmitool -H bmc -U ADMIN -P {} sel list',
    'redfish -u root -p {}', 'racadm -r h -u root -p {} getsel', 'mongo -u me -p {}', 'aws configure set aws_secret_access_key {}',
    'gcloud auth activate --key={}', 'snmpwalk -c {} h', 'unzip -P {} a.zip', 'sacctmgr password {}', "SecretStr('{}')",
    'token=SecretStr("{}")', '{{"HF_TOKEN": {{"value": "{}"}}}}', 'HF_TOKEN:\n  value: {}', 'stringData:\n  key: {}',
    'hf_token: !secret {}', 'HF_TOKEN: &t {}', 'HF_TOKEN\xa0=\xa0{}', 'hf_token%3D{}', 'HF_TOKEN\\u003d{}', 'password%3A{}',
    'password&#61;{}', 'password&quot;:&quot;{}&quot;', 'the api key we use is {}', 'api token {} was rejected',
    'Incorrect API key provided: {}', "invalid token '{}'", 'token expired: {}', 'secret "{}" not valid', 'bad credentials ({})',
    'credentials me/{}', 'MUNGE:AwQFAAD{}{}{}:', 'JSESSIONID={}', 'PHPSESSID={}', '_xsrf=2|{}', 'ngrok authtoken {}',
    'vault login {}', 'vault write auth/approle/login secret_id={}', 'VAULT_SECRET_ID={}', 'dvc remote modify x password {}',
    'git config user.password {}', 'conda config --set anaconda_token {}', 'https://conda.anaconda.org/t/{}/x',
    'https://h/t/tk-{}/get', 'https://api.h/v1/keys/{}', '--served-model-api-keys {}',
]  # fmt: skip
"""As people write them down and hand them to tools."""

MARKED = [
    "hf_" + MIXED[:34], "ghp_" + MIXED[:36], "gho_" + MIXED[:36], "ghs_" + MIXED[:36], "ghu_" + MIXED[:36], "ghr_" + MIXED[:36],
    "github_pat_" + MIXED[:82], "glpat-" + MIXED[:20], "glrt-" + MIXED[:20], "gldt-" + MIXED[:20], "glcbt-64_" + MIXED[:20],
    "GR1348941" + MIXED[:20], "xoxb-" + "123456789012-" + MIXED[:24], "xoxp-" + "123456789012-" + MIXED[:24], "xapp-1-A0-1-" + HEX[:20],
    "npm_" + MIXED[:36], "pypi-AgEIcHlwaS5vcmc" + MIXED[:60], "dckr_pat_" + MIXED[:27], "nvapi-" + MIXED[:64], "sk-" + MIXED[:48],
    "sk-proj-" + MIXED[:80], "sk-ant-api03-" + MIXED[:93], "sk_live_" + MIXED[:24], "AKIA" + "Z7PLANTED2XWBCDE", "ASIA" + "Z7PLANTED2XWBCDE",
    "AIza" + MIXED[:35], "ya29." + MIXED[:60], "GOCSPX-" + MIXED[:28], "hvs." + MIXED[:90], "hvb." + MIXED[:120], "SG." + MIXED[:22] + "." + MIXED[:43],
    "glsa_" + MIXED[:32] + "_" + HEX[:8], "dapi" + HEX[:32], "dop_v1_" + HEX[:64], "pul-" + HEX[:40], "sha256~" + MIXED[:43],
    "eyJhbGciOiJIUzI1NiJ9." + MIXED[:30] + "." + MIXED[:43], "ABSK" + MIXED[:110], "123456789:A" + MIXED[:34], "gsk_" + MIXED[:52], "xai-" + MIXED[:80],
    "r8_" + MIXED[:37], "AGE-SECRET-KEY-1" + "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LQPZRY9X8GF2TVDW0S3JN54KHCE", "PMAK-" + HEX[:24] + "-" + HEX[:34],
    "shpat_" + HEX[:32], "lin_api_" + MIXED[:40], "ntn_12345678901" + MIXED[:35], "abc8Q~" + MIXED[:34], "AKCp" + MIXED[:69], "LTAI" + MIXED[:20],
    "https://hooks.slack.com/services/T000/B000/" + MIXED[:24], "https://discord.com/api/webhooks/123/" + MIXED[:60],
    "https://api.telegram.org/bot123:" + MIXED[:35] + "/send", "wandb login " + HEX[:40],
    "https://x.webhook.office.com/webhookb2/" + MIXED[:60],
]  # fmt: skip
"""Secrets that say themselves what they are."""

BLOCKS = [
    "-----BEGIN OPENSSH PRIVATE KEY-----\n" + MIXED + "\n-----END OPENSSH PRIVATE KEY-----",
    "-----BEGIN RSA PRIVATE KEY-----\n" + MIXED + "\n" + MIXED,
    "-----BEGIN PRIVATE KEY-----\\n" + MIXED + "\\n-----END PRIVATE KEY-----",
    "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n" + MIXED + "\n-----END PGP PRIVATE KEY BLOCK-----",
    '"private_key": "-----BEGIN PRIVATE KEY-----\\n' + MIXED + '\\n"',
]


def piece_of(text: str) -> str:
    """A piece of a marked secret that stands nowhere else."""
    return next((piece for piece in (HEX[:12], "pLaNtEd", "192-a3b4c5d6e7f8") if piece in text), text[-12:])


SHAPES = [
    *((text.format(*[WORD] * text.count("{}")), WORD) for text in (*NAMED, *SPOKEN, *PLACED, *RANDOM)),
    *(
        (text.format(*[word] * text.count("{}")), word)
        for text in (*TOLD, *FOUND, *ATTACKED, *ATTACKED_TOO, *PRINTED)
        for word in (WORD, PLAIN)
    ),
    *((text, piece_of(text)) for text in (*MARKED, *SELF_SAID, *MARKED_TOO)),
    *((text, "pLaNtEd") for text in BLOCKS),
    # values that are short, or hold blanks, quotes and signs
    ("vllm serve m --api-key " + SHORT, SHORT), ("api_key=['" + SHORT + "']", SHORT), ('{\\"password\\": \\"' + SHORT + '\\"}', SHORT),
    ("GITHUB_PAT=" + SHORT, SHORT), ("docker login -p " + SHORT, SHORT), ("curl -u me:" + SHORT, SHORT),
    ("DB_PASSWORD='" + SPACED + "'", "pLaNtEd"), ('"password": "' + SPACED + '"', "pLaNtEd"), ("password: " + SPACED, "pLaNtEd"),
    ("DB_PASSWORD=" + SPACED, "pLaNtEd"), ("postgres://u:" + AT + "@db/x", "pLaNtEd"), ("DB_PASSWORD=" + AT, "pLaNtEd"),
    ("Authorization: Basic " + BASE, BASE), ("basic " + BASE, BASE), ('"auth": "' + BASE + '"', BASE),
    ("serve --token -" + WORD, WORD), ("serve --password -" + WORD + " --port 1", WORD), ("x --api-key --" + MIXED[:24], MIXED[:24]),
    ("pass=" + WORD, WORD), ('PASS="' + WORD + '"', WORD), ('"pass": "' + WORD + '"', WORD), ("bindPass=" + WORD, WORD),
    *((text + HEX[:40], HEX[:40]) for text in ("--use_wandb ", "--wandb-key ", "--wandb_key=", "trainer.wandb_key=",
                                         "wandb login --host=https://x.example ")),
    ("SWMTKN-1-" + HEX[:40] + "-1awxwuwd3z9j1z3puu7rcgdbx", "1awxwuwd3z9j1z3puu7rcgdbx"),
    ("kubeadm join h:6443 --certificate-key " + HEX, HEX[:40]), ("ATATT3x" + MIXED, MIXED), ("1//0g" + MIXED, MIXED),
    ("-----BEGIN RSA PRIVATE KEY-----\n" + (MIXED + "\n") * 200 + "pLaNtEd\n-----END RSA PRIVATE KEY-----", "pLaNtEd"),
    ('DB_PASSWORD="a\\"' + WORD + '"', WORD), ("PASSWORD=$" + WORD + "!", WORD),
]  # fmt: skip
"""Every text with a piece of it that must not be shown."""

HARMLESS = [
    *READABLE,
    *UNHARMED,
    # what the second attack's shapes resemble
    "ssh://git@github.com/a/b", "https://git@github.com/a/b", "docker://nvidia/cuda@sha256:0a1b2c3d4e5f", "abfs://data1@acct.dfs.core.windows.net/x",
    "keys: [0, 1, 2]", "keys: ['model.layers.0.mlp.weight2', 'lm_head.weight']", "keys: 0 1 2", "unexpected keys: [\"layers.1.Qwen2Mlp\"]", "num_key_value_heads=8, max_tokens=[128, 256]",
    "tokens: [\"<s>\", \"ab12\"]", "AddedToken(\"<|im_end|>1\", special=True)", "stop_token_ids=[151643, 2]", "static const char PMI_KEY[] = \"pmi-version\";", "#define MR_KEY_INIT FI_KEY_NOTAVAIL",
    "pip install -U git+https://github.com/a/b.git", "search -u https://keys.openpgp.org x", "login(ctx, \"/tmp/test\")", "checkLogin(state, \"machine-stale-test\")", "author (e.g., \"John Smith\")",
    "https://forums.developer.nvidia.com/t/plug-in-the-connectx-5-first/206632", "auth_setting['in'] == 'cookie'", "- **No long-lived credentials**: OIDC tokens for temporary access",
    "#### **--creds**=*[username[:password]]*", "The password to decrypt the key", "credentials:\n- credentialsId: 'svc-nixl-token1'\n  usernameVariable: 'USER1'",
    "secrets:\n  hf:\n    file: ./x", "[secrets]\nname = regcred1", "\"REDIS_PASSWORD\": {\n  \"name\": \"redis-secret\",\n  \"key\": \"password\"\n}",
    "session MB = N x conditions x 0.0104", "spec: gcc@11.2+x", "connect('10.0.0.1', 29500)", "echo hello world | grep passwd", "conda create -n t1", "the pin of torch 2.5 is old",
    "commHash 0x1122334455667788 rank 3", "a: ab12@node1.example.com", "git log v1.2.3", "bf16 as the dtype", "log in as root on node12", "login for node1: done", "authenticated as gpu/node12",
    "echo 'vm.nr_hugepages=1024' | sudo tee /etc/sysctl.d/90.conf", "printf '[Service]' | sudo tee /etc/x.conf",
    "grep me: /etc/passwd | head -1", "unexpected key 'model.layers.0.mlp.up_proj.weight2'", "invalid token id 32000 at 17",
    "| NCCL_DEBUG | INFO |", "NCCL_IB_TIMEOUT 22", "MASTER_PORT,29500", "git config --global user.name Ada", "squeue -u me -p gpu2",
    "Unrecognized key: Qwen2ForCausalLM", "the token is not needed here", "the password is 12 characters long",
    "wandb_run_id_of_the_training_job", "sgp_kernel_fused_moe_align_block", "npm_config_registry_something_x",
    "API-server-connection-failed-x", "hf_transfer_enabled_for_download", "pypi-mirror-something-internal", "wandb_run_id_3kx9f2ab_long_name",
    "serve --token --verbose x", "x --token --num-gpus=8 --fp8-kv-cache", "x --api-key -Xmx512m", "train --api-key -v",
    "TOKENIZERS_PARALLELISM=false", "max_tokens=4096", "max_tokens: 4096", "--max-tokens 4096", "--max-num-batched-tokens 8192",
    "num_tokens=128, prompt_tokens: 12345678", "pad_token_id=0", "eos_token='</s>'", "Token indices sequence length is longer than 2048",
    "throughput: 1234.5 tokens/s", "unexpected token: expected", "KeyError: 'rank'", "key=allreduce", "cache_key=7f3a", "sort_key: name",
    "ncclUniqueId 0x7f3a9c0011223344", "commId 0x8a3f2b1c4d5e6f70 commHash 0x1122334455667788", "NCCL_IB_PKEY=0x7fff", "rkey 0x1fe2 lkey 0x1fe3",
    "GPU-8f3c2a1b-4d5e-6f70-8192-a3b4c5d6e7f8", "MIG-8f3c2a1b-4d5e-6f70-8192-a3b4c5d6e7f8", "BOOT_IMAGE=/vmlinuz root=UUID=0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9 ro",
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8", "vllm/vllm-openai@sha256:0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9",
    "nginx:1.25@sha256:0a1b2c3d4e5f60718293a4b5c6d7e8f9", "/home/user/.cache/huggingface/token", "HF_TOKEN_PATH=/home/user/.cache/huggingface/token",
    "RAY_AUTH_TOKEN_PATH=/etc/ray/token", "RAY_AUTH_MODE=token", "PWD=/workspace/job", "pwd: /workspace", "SSH_AUTH_SOCK=/tmp/ssh-x/agent.1",
    "torch==2.6.0+cu124 tokenizers==0.19.1 sentencepiece==0.2.0", "GPU0 X NV18 SYS 0-55", "NVRM: Xid (PCI:0000:2b:00): 79, pid=1234, GPU has fallen off the bus.",
    "NCCL_IB_HCA=mlx5_0:1,mlx5_1:1", "docker run -u 1000:1000 -p 8000:8000 img", "tcp://10.0.0.1:29500", "http://node-1:8265/api/jobs/", "git@github.com:a/b.git",
    "secretName: hf-credentials-name", "imagePullSecrets", "tensor_parallel_size=8", "MASTER_ADDR=10.0.0.1 MASTER_PORT=29500", "bypass=1 compass: north",
    "forward pass: 12 ms", "collective.default: pass", "basic authentication is on", "password authentication failed for user", "HF_TOKEN=$HF_TOKEN", "--api-key ${KEY}",
    "_ZNSt23_Sp_counted_ptr_inplaceIN3ray3rpc18GetTaskEventsReplyEESaIS4_ELN9__gnu_cxx12_Lock_policyE2EE", "libtorch_cpu.so(_ZN2at4_ops26miopen_batch_norm_backward4callERKNS_6TensorES4_S4_RKSt8optionalIS2_ES8_S8_S8_d+0x1f)",
    "N5torch3jit10tensorexpr12_GLOBAL__N_131nnc_add_quantizedERKSt6vectorINS1_9BufHandleE", "_RINvNtCskADBYZwJmSU_4core3ptr9drop_glueINtNtCsgFX3jaOk65H_5alloc3vec3VecINtB4_6StringEE",
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16>, std::array<char*, 3ul>>", "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_segment_k_off_kernel__5x_cublas",
    "Qwen2MoeForConditionalGenerationWithSpeculativeDecodingV2Config", "Mixtral8x7BInstructV01ForCausalLMModelRunnerBase", "ed25519 SHA256:47DEQpj8HBSaTImW5JCeuQeRkm5NMpJWZG3hSuFU4aB no comment",
    "ncclCommInitRankConfig comm 0x55d0c0ffee10 rank 3 nranks 8 cudaDev 3 nvmlDev 3 busId db000 commId 0x8a3f2b1c4d5e6f70", "NVRM: GPU at PCI:0000:9c:00: GPU-8f3c2a1b-4d5e-6f70-8192-a3b4c5d6e7f8",
    "pod 8f3c2a1b-4d5e-6f70-8192-a3b4c5d6e7f8 volume pvc-8f3c2a1b-4d5e-6f70-8192-a3b4c5d6e7f8", "containerd://0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9", "snapshots/9fceb02d0ae598e95dc970b74767f19372d61af8/model-00001-of-00030.safetensors",
    "ray::RayWorkerWrapper.execute_method() (pid=812, ip=10.0.0.5, actor_id=5e1f7a90c3d24b685e1f7a9001000000, repr=<x object at 0x7f3a9c001122>)", "/root/.triton/cache/KX5YB2QHDVZ6WJGRTLNM4AF7OCSEPU3I/kernel.cubin",
    "fe80::5e1f:7aff:fe90:c3d2 gid fe80:0000:0000:0000:5e1f:7aff:fe90:c3d2 lid 0x1f node_guid b83f:d203:0012:ab34", "build sha-9fceb02d0ae598e95dc970b74767f19372d61af8", "cp hooks/post-receive-2024.sample .git/hooks/post-receive",
    "https://github.com/NVIDIA/enroot/blob/v4.1.2/conf/hooks/98-nvidia-x.sh", "the key 1: value1", "SK=128 AK=64", "passes: 3", "Unexpected Key 1: value", "ssh-keygen -R host-1",
    "Permission denied (publickey,password).", "[rank0]:[E101 12:00:00.123] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=5)",
    "node1:123:123 [0] NCCL INFO Connected all rings", "mlx5_0:1/IB [1]mlx5_1:1/RoCE", "author: Ada", "authors = 3", "monkey=1", "keyboard: us", "session started",
]  # fmt: skip
"""What must stay as it is."""
