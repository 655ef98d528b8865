docker run -it --network=host --group-add=video --ipc=host --cap-add=SYS_PTRACE \
  --security-opt seccomp=unconfined --device /dev/kfd --device /dev/dri \
  rocm/vllm:latest vllm serve MODEL -tp 8
