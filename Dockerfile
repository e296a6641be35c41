# The API and the worker in one image; there is nothing to build, Node runs the TypeScript itself.
FROM node:24.21.0-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY engines/local/package.json engines/local/
RUN npm ci --omit=dev --loglevel=error

FROM node:24.21.0-slim
ENV NODE_ENV=production \
    NODE_OPTIONS=--disable-warning=ExperimentalWarning \
    HOST=0.0.0.0 \
    ATELIER_DATA=/data
WORKDIR /app
# A named volume takes its owner from here.
RUN mkdir /data && chown node:node /data
COPY --from=packages /app/node_modules node_modules
# Networks are converted at their first use, and kept here.
RUN mkdir -p node_modules/.cache/atelier-local && chown node:node node_modules/.cache/atelier-local
COPY . .
USER node
VOLUME /data
EXPOSE 3000
CMD ["node", "api/main.ts"]
