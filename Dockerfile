# docker build -t engine-server .
# enginePoolVirtualThreads needs Node.js 24: docker build --build-arg BASE_IMAGE=node:24-slim -t engine-server .
ARG BASE_IMAGE=node:22-slim

FROM ${BASE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build && npm ci --omit=dev

FROM ${BASE_IMAGE}
RUN groupadd --system --gid 999 service \
 && useradd --system --uid 999 --gid service --home-dir /var/lib/engine-server service \
 && mkdir -p /var/lib/engine-server /etc/opt/engine-server \
 && chown service:root /var/lib/engine-server \
 && chmod g=u /var/lib/engine-server
COPY --from=build /build/package.json /build/LICENSE /build/README.md /opt/engine-server/
COPY --from=build /build/node_modules /opt/engine-server/node_modules
COPY --from=build /build/dist /opt/engine-server/dist
COPY --from=build /build/bin /opt/engine-server/bin
COPY --from=build /build/conf /opt/engine-server/conf
COPY --from=build /build/scripts/empty-sample.groovy /opt/engine-server/scripts/

# Data, PID file and control socket are under SERVICE_HOME. A configuration named engine-server.yaml, janusgraph-server.yaml
# or gremlin-server.yaml in SERVICE_CONFIG_DIR, or in JANUS_CONFIG_DIR (/etc/opt/janusgraph), is used instead of SERVICE_YAML.
# Compiled code is kept in XDG_CACHE_HOME, because the home of the user is the volume of the data, which its group may write.
ENV SERVICE_HOME=/var/lib/engine-server \
    SERVICE_CONF=/opt/engine-server/conf \
    SERVICE_CONFIG_DIR=/etc/opt/engine-server \
    SERVICE_YAML=/opt/engine-server/conf/engine-server/engine-server-container.yaml \
    XDG_CACHE_HOME=/tmp \
    PATH=/opt/engine-server/bin:${PATH}

# A number: Kubernetes then sees that it is not root. OpenShift takes another number, in the group of root.
USER 999
WORKDIR /var/lib/engine-server
VOLUME /var/lib/engine-server
EXPOSE 8182
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["docker-entrypoint.sh", "healthcheck"]
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["engine-server"]
