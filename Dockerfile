# Zonedeck with everything but a database: give it DATABASE_URL (compose.yaml does). See docs/operate.md.
# Images are named by their content, so that the same source makes the same image; docs/operate.md says how to take newer ones.

FROM node:24.18.0-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts
COPY tsconfig.base.json tsconfig.json ./
COPY shared shared
COPY client client
COPY server server
COPY drizzle drizzle
RUN node server/db/patch-driver.mjs
RUN node client/build.ts
RUN node server/entrypoints/keep-server-packages.ts

# The same Debian without npm; the runtime is one file.
FROM debian:bookworm-20260824-slim@sha256:88200866dfff7ea7f5cbcb6ec7c8a701889efe6fe859fe64d6990e4b07ea4171
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 METRICS_PORT=9464 DATA_DIR=/data
WORKDIR /app
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/drizzle drizzle
COPY --from=build /app/shared shared
COPY --from=build /app/server server
COPY --from=build /app/client/dist client/dist
RUN mkdir -m 700 /data && chown 1000:1000 /data
USER 1000:1000
VOLUME /data
EXPOSE 3000 9464
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s CMD ["node", "server/entrypoints/health-check.ts"]
CMD ["node", "server/entrypoints/main.ts"]
