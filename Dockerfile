# One image per service: docker build --build-arg SERVICE=forms-api .

# Only the manifests, so that packages are reinstalled only if one of them changes.
FROM node:24-bookworm-slim AS manifests
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY dashboard dashboard
COPY libs libs
COPY sdks sdks
COPY services services
RUN find dashboard libs sdks services -type f ! -name package.json -delete && find dashboard libs sdks services -type d -empty -delete

FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY --from=manifests /src ./
RUN npm ci --no-audit --no-fund --loglevel=error
COPY dashboard dashboard
COPY libs libs
COPY services services
COPY tools tools
COPY docs/openapi.json docs/
COPY tsconfig.json ./
# The build context has no repository to read it from.
ARG GIT_COMMIT=unknown
RUN npm run --silent build && node tools/run.mjs build/sbom

# What the images of all services have in common, so that it is built and stored once.
FROM node:24-bookworm-slim AS common
ENV NODE_ENV=production SVC_HOST=0.0.0.0 SVC_PORT=8080 SVC_DATA_DIR=/data
COPY --from=build /src/dist/admin.cjs /src/dist/openapi.json /src/dist/swagger-ui-bundle.js /src/dist/swagger-ui.css /app/
COPY --from=build /src/dist/embed /app/embed
COPY --from=build /src/dist/dashboard /app/dashboard
RUN mkdir /data && chown 1000:1000 /data
USER 1000:1000
WORKDIR /app
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node.js 24 lets the young generation grow to 128 MB. At 16 MB it is as fast and uses 100 MB less.
CMD ["node", "--max-semi-space-size=8", "main.cjs"]

FROM common
ARG SERVICE
COPY --from=build /src/dist/${SERVICE}.cjs /app/main.cjs
COPY --from=build /src/dist/${SERVICE}.cjs.map /app/
# The packages in this image (CycloneDX).
COPY --from=build /src/dist/sbom/${SERVICE}.cdx.json /app/sbom.cdx.json
# VERSION is the version in package.json.
ARG VERSION=0.1.0
ARG GIT_COMMIT=unknown
LABEL org.opencontainers.image.title="SvcForms ${SERVICE}" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${GIT_COMMIT}"
