# syntax=docker/dockerfile:1
# Zonedeck with everything but a database: give it DATABASE_URL (compose.yaml does). See docs/operating.md.

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts
COPY tsconfig.base.json tsconfig.json ./
COPY shared shared
COPY client client
COPY server server
COPY drizzle drizzle
RUN node client/build.ts
RUN node server/keep-server-packages.ts

# The same Debian without npm; the runtime is one file.
FROM debian:bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 METRICS_PORT=9464 DATA_DIR=/data
WORKDIR /app
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/drizzle drizzle
COPY --from=build /app/shared shared
COPY --from=build /app/server server
COPY --from=build /app/client/dist client/dist
RUN mkdir /data && chown 1000:1000 /data
USER 1000:1000
VOLUME /data
EXPOSE 3000 9464
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s CMD ["node", "server/health-check.ts"]
CMD ["node", "server/main.ts"]
