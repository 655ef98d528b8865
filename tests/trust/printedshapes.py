"""Shapes of secrets of a third attack: values before their names, and what commands print; see ``secretshapes``."""
# ruff: noqa: E501

from __future__ import annotations

PRINTED = [
    '$ echo $HF_TOKEN\n{}', '$ echo "${{HF_TOKEN}}"\n{}', '$ printenv HF_TOKEN\n{}', '$ docker exec x printenv API_KEY\n{}',
    '$ cat ~/.cache/huggingface/token\n{}', '$ cat ~/.vllm_key\n{}', '$ openssl rand -hex 32 | tee api.key\n{}',
    "$ kubectl get secret x -o jsonpath='{{.data.token}}' | base64 -d\n{}", 'gcloud secrets versions access latest --secret=hf\n{}',
    'az keyvault secret show --name hf\n{{"value": "{}", "name": "hf"}}', 'az keyvault secret show --name hf\n{{\n  "name": "hf",\n  "value": "{}"\n}}',
    'env:\n  - value: {}\n    name: HF_TOKEN', '- {{value: "{}", name: API_KEY}}', '[{{"value": "{}", "name": "DB_PASSWORD"}}]',
    'helm upgrade x . --set env[0].name=HF_TOKEN --set env[0].value={}',
    '{{"Parameter": {{"Name": "/hf", "Type": "SecureString", "Value": "{}"}}}}', 'beaker secret write HF {}', "[(b'x-api-key', b'{}')]",
    '- --api-key\n- {}', "- '--api-key'\n- '{}'", '- --api-key\n- "{}"', "ApiKeyCredentials(key='{}')", "SplitResult(scheme='http', netloc='bob:{}@h', path='/')", 'MY_HF_TOK={}', 'TOK={}', 'WANDBKEY={}',
]  # fmt: skip
"""Each is tried with a random word and with a plain one."""

UNHARMED = [
    '$ echo $HF_TOKEN\n\n$ ls', '$ cat ~/.cache/huggingface/token\ncat: no such file', '$ echo $HF_HOME\nmodels2024', '$ printenv NCCL_DEBUG\nINFO1234',
    '$ cat tokens.log\nstep 12 done', '$ kubectl get secrets\nNAME      TYPE', 'env:\n  - value: "8x16"\n    name: NCCL_ALGO', '[{"value": "abc123", "name": "NCCL_DEBUG"}]',
    '- --api-key\n- --port', '- --max-tokens\n- "4096"', '{"value": 12, "name": "num_tokens"}', "Token(value='layer1')", "netloc='example.com:8000'", 'MAX_TOK=4k', 'TOK=32000', 'NCCL_IB_PKEY=0x7fff', 'MONKEY=abc123',
    "the secret put aside for later", '"Type": "String", "Value": "abc123"', '$ echo $HF_TOKEN\n/root/token2', 'hotkey=ctrl1',
]  # fmt: skip
"""What looks similar and stays."""
