# finds: dri-without-kfd@2 two-rocm-masks@3
docker run --ipc=host --device=/dev/kfd \
  -e HIP_VISIBLE_DEVICES=2,3 -e ROCR_VISIBLE_DEVICES=2,3 rocm/vllm vllm serve MODEL
