#!/bin/sh
# Entry point of the container image.
#
#   engine-server [conf file]   the server in the foreground, its log on standard output (the default)
#   show-config, check-config   print or check the configuration of the server, or the file that follows
#   healthcheck                 exit status 0 while the server answers
#   anything else               is run as a command, such as sh
set -eu

# The image has no symbolic link to this script, but its folder is on the path.
script=$0
case $script in
  */*) ;;
  *) script=$(command -v -- "$script") ;;
esac
bin=$(cd -P -- "$(dirname -- "$script")" && pwd)
. "$bin/service-functions.sh"
keep_dotted_variables

SERVICE_HOME=${SERVICE_HOME:-${bin%/*}}
export SERVICE_HOME

# When the container was started as root, the data folder and the server get the user of the image.
if [ "$(id -u)" = 0 ] && [ -n "${SERVICE_USER:=service}" ] && id "$SERVICE_USER" > /dev/null 2>&1; then
  mkdir -p -- "$SERVICE_HOME"
  chown "$SERVICE_USER" -- "$SERVICE_HOME"
  exec chroot --skip-chdir --userspec "$SERVICE_USER:" / "$bin/docker-entrypoint.sh" "$@"
fi

# A mounted configuration wins over the configuration of the image. JANUS_CONFIG_DIR is the folder of JanusGraph's image.
config_dir=${SERVICE_CONFIG_DIR:-/etc/opt/engine-server}
janus_dir=${JANUS_CONFIG_DIR:-/etc/opt/janusgraph}
mounted=
for folder in "$config_dir" "$janus_dir"; do
  for name in engine-server.yaml janusgraph-server.yaml gremlin-server.yaml; do
    if [ -z "$mounted" ] && [ -r "$folder/$name" ]; then mounted=$folder/$name; fi
  done
done
image_yaml=${bin%/*}/conf/engine-server/engine-server-container.yaml
export SERVICE_YAML="${mounted:-${SERVICE_YAML:-$image_yaml}}"

# The health check runs every few seconds, and would repeat the warnings of the start.
asked=${1:-}
warn() {
  [ "$asked" = healthcheck ] || printf '%s\n' "WARNING: $*" >&2
}

if [ -n "${JANUS_CONFIG_DIR:-}" ] && [ ! -r "$janus_dir/janusgraph.properties" ]; then
  case $mounted in
    "$janus_dir"/*) ;;
    *) warn "JANUS_CONFIG_DIR has no effect: $SERVICE_YAML is the configuration. $janus_dir has no readable janusgraph-server.yaml, or $config_dir has a configuration, too." ;;
  esac
fi
if [ -n "${JANUS_DATA_DIR:-}" ]; then
  warn "JANUS_DATA_DIR has no effect: graphs on disk are below SERVICE_HOME ($SERVICE_HOME) unless storage.directory names another folder. Mount the volume of the data there."
fi

# The variables of JanusGraph's image. A template names the properties file of the default graph.
case ${JANUS_PROPS_TEMPLATE:-} in
  '') ;;
  inmemory | berkeleyje | berkeleyje-es | berkeleyje-lucene | cql | cql-es)
    case $JANUS_PROPS_TEMPLATE in
      berkeleyje-*) properties=berkeleyje ;;
      *) properties=$JANUS_PROPS_TEMPLATE ;;
    esac
    if [ "$SERVICE_YAML" = "$image_yaml" ]; then
      export "ENGINESERVER__GRAPHS__GRAPH=conf/engine-server/janusgraph-$properties.properties"
    else
      warn "JANUS_PROPS_TEMPLATE has no effect: $SERVICE_YAML names the graphs."
    fi
    case $JANUS_PROPS_TEMPLATE in
      berkeleyje-*) warn "JANUS_PROPS_TEMPLATE=$JANUS_PROPS_TEMPLATE: mixed indexes are kept in the graph's own store; no other index backend is used." ;;
    esac
    ;;
  *)
    printf '%s\n' "ERROR: JANUS_PROPS_TEMPLATE is $JANUS_PROPS_TEMPLATE; it can be inmemory, berkeleyje, berkeleyje-es, berkeleyje-lucene, cql or cql-es." >&2
    exit 1
    ;;
esac

# A mounted properties file is that of the default graph, as in JanusGraph's image.
if [ "$SERVICE_YAML" = "$image_yaml" ] && [ -r "$janus_dir/janusgraph.properties" ]; then
  export "ENGINESERVER__GRAPHS__GRAPH=$janus_dir/janusgraph.properties"
fi

# Adds an override, which is a variable with dots in its name, unless the container has it already.
override() {
  case "
${SERVICE_DOTTED_ENVIRONMENT:-}" in
    *"
$1="*) ;;
    *)
      SERVICE_DOTTED_ENVIRONMENT="${SERVICE_DOTTED_ENVIRONMENT:-}
$1=$2"
      export SERVICE_DOTTED_ENVIRONMENT
      ;;
  esac
}

case ${JANUS_STORAGE_TIMEOUT:-} in
  '') ;;
  *[!0-9]*)
    printf '%s\n' "ERROR: JANUS_STORAGE_TIMEOUT is $JANUS_STORAGE_TIMEOUT; it is a number of seconds." >&2
    exit 1
    ;;
  *)
    template=${JANUS_PROPS_TEMPLATE:-}
    if [ "${template%%-*}" = cql ] || grep -qs '^ *storage.backend *[=:]* *cql' "$config_dir"/*.properties "$janus_dir"/*.properties; then
      override janusgraph.storage.setup-wait "${JANUS_STORAGE_TIMEOUT}000 ms"
    fi
    ;;
esac

# The scripts run at each start, as in JanusGraph's image.
initdb=${JANUS_INITDB_DIR:-/docker-entrypoint-initdb.d}
if [ -d "$initdb" ]; then
  override engineserver.dataScripts "$initdb"
  for script in "$initdb"/*; do
    case $script in
      *.groovy) ;;
      *) [ ! -e "$script" ] || warn "$script is not run: only files with the ending .groovy are." ;;
    esac
  done
elif [ -n "${JANUS_INITDB_DIR:-}" ]; then
  printf '%s\n' "ERROR: JANUS_INITDB_DIR is $JANUS_INITDB_DIR, which is not a folder." >&2
  exit 1
fi

# When the shipped heap limit exceeds the memory of the container, the limit is three quarters of that memory.
limit_heap() {
  [ -z "${JAVA_OPTIONS:-}${NODE_OPTIONS:-}" ] || return 0
  [ -r "${CGROUP_MEMORY_MAX:=/sys/fs/cgroup/memory.max}" ] || return 0
  memory=$(cat "$CGROUP_MEMORY_MAX")
  case $memory in
    '' | *[!0-9]*) return 0 ;;
  esac
  megabytes=$((memory / 1048576 * 3 / 4))
  if [ "$megabytes" -gt 0 ] && [ "$megabytes" -lt 4096 ]; then
    JAVA_OPTIONS=-Xmx${megabytes}m
    export JAVA_OPTIONS
  fi
}

# Runs a command on the configuration that its words name, or else on that of the server.
on_configuration() {
  for word in "$@"; do
    case $word in
      -* | *=*) ;;
      *.yaml | *.yml) exec "$bin/engine-server.js" "$@" ;;
      *) if [ -f "$word" ]; then exec "$bin/engine-server.js" "$@"; fi ;;
    esac
  done
  exec "$bin/engine-server.js" "$@" "$SERVICE_YAML"
}

case ${1:-engine-server} in
  engine-server | janusgraph | gremlin-server)
    [ $# -eq 0 ] || shift
    case ${1:-} in
      show-config | check-config) on_configuration "$@" ;;
    esac
    limit_heap
    exec "$bin/service-server.sh" console "$@"
    ;;
  *.yaml | *.yml)
    limit_heap
    exec "$bin/service-server.sh" console "$@"
    ;;
  show-config | check-config) on_configuration "$@" ;;
  healthcheck)
    socket=$(socket_of "${PID_DIR:-$SERVICE_HOME/run}" "${PID_FILE:-service.pid}")
    exec "$bin/engine-server.js" status --control-socket "$socket" > /dev/null
    ;;
  *) exec "$@" ;;
esac
