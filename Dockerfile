# A small image that runs as nobody. It sees the host only as far as it is given to it:
#   docker build --build-arg VERSION=0.1.0 -t gpudoctor:0.1.0 .
#   docker run --rm --pid=host --network=host --gpus all -v /:/host:ro gpudoctor --probe --root /host
#   docker run --rm -v "$PWD:/logs:ro" gpudoctor --report /logs
FROM python:3.12-slim AS build
# hadolint ignore=DL3008
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
ARG VERSION=
ENV GPUDOCTOR_VERSION=$VERSION
COPY . /src
RUN pip install --no-cache-dir --prefix=/opt/gpudoctor /src

FROM python:3.12-slim
COPY --from=build /opt/gpudoctor /usr/local
RUN useradd --uid 65532 --create-home --shell /usr/sbin/nologin doctor
USER 65532:65532
ENV PYTHONDONTWRITEBYTECODE=1
ENTRYPOINT ["gpudoctor"]
CMD ["--probe", "--no-ask"]
