# The whole product in one image. Node 24 comes as an npm package, so the base only has to start npm.
FROM node:22-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY contract/package.json contract/
COPY sandbox/package.json sandbox/
COPY server/package.json server/
COPY web/package.json web/
COPY e2e/package.json e2e/
COPY scripts/check-node.cjs scripts/
RUN npm ci --no-audit --no-fund
COPY . .
# The way the start does it, so that the start finds it done.
RUN node_modules/.bin/node --disable-warning=ExperimentalWarning -e "import('/app/server/web-build.ts').then(({ buildWebApp }) => buildWebApp(console))"

FROM node:22-trixie-slim
# FFmpeg makes posters and streams of videos; ca-certificates let us speak to Stripe, S3 and SMTP.
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends ffmpeg ca-certificates tini \
  && rm -rf /var/lib/apt/lists/* && install -d -o node -g node /data
WORKDIR /app
COPY --from=build --chown=node:node /app /app
USER node
# glibc keeps freed memory for each thread that took some, and up to 38 MB more after two password hashes of 19 MiB. Large blocks go back to
# the system at once, in huge pages, because a hash would take a fifth longer in small ones.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=4194304 MALLOC_TRIM_THRESHOLD_=131072 GLIBC_TUNABLES=glibc.malloc.hugetlb=1
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8000 DATA_DIR=/data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:8000/health/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--"]
# Not "npm start": this process gets docker stop's SIGTERM itself, and ends PostgreSQL and requests in order.
CMD ["node_modules/.bin/node", "--disable-warning=ExperimentalWarning", "server/main.ts"]
