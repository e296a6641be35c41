# Two images from one file. There is nothing to compile: Node runs the TypeScript itself.
#
#   docker build -t atelier .                      with the embedded engines
#   docker build -t atelier:lean --target lean .   without them, for deployments on providers
#
# For reproducible builds, pin the base by its digest: --build-arg NODE_IMAGE=node:24.21.0-slim@sha256:…
ARG NODE_IMAGE=node:24.21.0-slim

FROM ${NODE_IMAGE} AS lean-packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY engines/local/package.json engines/local/
COPY scripts/image scripts/image
# No production package needs its install script. The SBOM lists what this stage has installed.
RUN npm ci --omit=dev --ignore-scripts --workspaces=false --loglevel=error \
  && node scripts/image/remove-foreign-binaries.mjs && node scripts/image/sbom.mjs sbom.cdx.json --installed

FROM lean-packages AS full-packages
RUN npm ci --omit=dev --ignore-scripts --loglevel=error \
  && node scripts/image/remove-foreign-binaries.mjs && node scripts/image/sbom.mjs sbom.cdx.json --installed

# Deletes files of all other types, so that a dump or a key beside the code does not get into the image. JSON files of
# the embedded engines are named one by one: in a pattern of find, `*` also matches the names of subfolders.
FROM ${NODE_IMAGE} AS sources
WORKDIR /app
COPY . .
RUN find . -regextype posix-extended -type f ! -name '*.ts' ! -name '*.mjs' ! -name '*.js' ! -name '*.css' \
    ! -name '*.html' ! -name '*.svg' ! -name '*.webp' ! -name package.json ! -name package-lock.json ! -name LICENSE ! -name NOTICE \
    ! -regex '\./engines/local/(cutout|edit/read|sketch/read)/vocabulary\.json' \
    ! -regex '\./engines/local/rules/(colours|copy|prompts|replacements|spelling|styles|wishes)\.json' \
    ! -regex '\./engines/local/(faces/landmarks|sketch/subjects/drawings/figures|vision/classes)\.json' -delete

FROM ${NODE_IMAGE} AS service
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Atelier" \
      org.opencontainers.image.description="Image and language models behind one REST API" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# The service needs no package manager, and no program that changes its user.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/np* /usr/local/bin/corepack /usr/local/bin/yarn* /opt/yarn* \
  && find / -xdev -type f -perm /6000 -exec chmod a-s {} + \
  && mkdir /data && chown 1000:1000 /data
# With these settings of its allocator, glibc returns the memory of images to the system, and threads share their arenas.
ENV MALLOC_ARENA_MAX=2 \
    MALLOC_TRIM_THRESHOLD_=131072 \
    MALLOC_MMAP_THRESHOLD_=131072
ENV NODE_ENV=production \
    NODE_OPTIONS=--disable-warning=ExperimentalWarning \
    HOST=0.0.0.0 \
    ATELIER_DATA=/data \
    ATELIER_METRICS_HOST=0.0.0.0 \
    ATELIER_METRICS_PORT=9464
WORKDIR /app
COPY --from=sources /app .
VOLUME /data
EXPOSE 3000 9464
# API and worker report their health on the same port.
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s CMD ["node", "scripts/image/health-check.mjs"]
CMD ["node", "api/main.ts"]

FROM service AS lean
COPY --from=lean-packages /app/node_modules node_modules
COPY --from=lean-packages /app/sbom.cdx.json .
# The bundle is made here, because the root file system is read-only later.
RUN node scripts/bundle.ts
USER 1000:1000

FROM service AS full
COPY --from=full-packages /app/node_modules node_modules
COPY --from=full-packages /app/sbom.cdx.json .
RUN node scripts/bundle.ts
USER 1000:1000
