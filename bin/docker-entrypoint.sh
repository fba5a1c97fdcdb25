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

# The health check runs every few seconds, and would repeat the warnings of the start.
asked=${1:-}
warn() {
  [ "$asked" = healthcheck ] || printf '%s\n' "WARNING: $*" >&2
}

is_readable_file() {
  [ -f "$1" ] && [ -r "$1" ]
}

# Docker makes a folder of a file to mount that does not exist, and a mounted file may be that of another user.
warn_of_unreadable() {
  if [ -e "$1" ] || [ -h "$1" ]; then warn "$1 is not a file that user $(id -u) can read, and is not used."; fi
}

# A mounted configuration wins over the configuration of the image. JANUS_CONFIG_DIR is the folder of JanusGraph's image.
config_dir=${SERVICE_CONFIG_DIR:-/etc/opt/engine-server}
janus_dir=${JANUS_CONFIG_DIR:-/etc/opt/janusgraph}
mounted=
for folder in "$config_dir" "$janus_dir"; do
  for name in engine-server.yaml janusgraph-server.yaml gremlin-server.yaml; do
    [ -z "$mounted" ] || continue
    if is_readable_file "$folder/$name"; then mounted=$folder/$name; else warn_of_unreadable "$folder/$name"; fi
  done
done
image_yaml=${bin%/*}/conf/engine-server/engine-server-container.yaml
export SERVICE_YAML="${mounted:-${SERVICE_YAML:-$image_yaml}}"

# A folder of configurations that is mounted over that of the image may have only the default file of the launcher.
required=true
if [ "$SERVICE_YAML" = "$image_yaml" ] && ! is_readable_file "$image_yaml"; then required=false; fi

# Sets configuration to the one that the words of the command name. Sets append to the one that show-config and check-config need
# after their words: none if these name one, or end with an option that has no value.
find_configuration() {
  configuration=$SERVICE_YAML
  append=$SERVICE_YAML
  case ${1:-} in
    engine-server | janusgraph | gremlin-server)
      shift
      case ${1:-} in
        '' | -*) return 0 ;;
        show-config | check-config) ;;
        *) configuration=$1 ;;
      esac
      ;;
    *.yaml | *.yml) configuration=$1 ;;
  esac
  case ${1:-} in
    show-config | check-config) shift ;;
    *) return 0 ;;
  esac
  expected=option
  for word in "$@"; do
    case $expected:$word in
      value:*) expected=option ;;
      option:--) expected=file ;;
      option:--host | option:--port | option:--set | option:--log-file | option:--control-socket | option:--format) expected=value ;;
      option:-?*) ;;
      *)
        [ -z "$append" ] || configuration=$word
        append=
        ;;
    esac
  done
  [ "$expected" != value ] || append=
}
find_configuration "$@"

# What names the default graph: a variable of the user, a configuration other than the image's, a mounted properties file as in
# JanusGraph's image, or the template.
graph_by=$({ env && printf '%s\n' "${SERVICE_DOTTED_ENVIRONMENT:-}"; } |
  LC_ALL=C sed -n -E 's/^((ENGINE|GREMLIN)SERVER__(GRAPHS|graphs)__(GRAPH|graph)|(engine|gremlin)server\.graphs\.graph)=..*/\1/p' |
  head -n 1)
if [ -z "$graph_by" ] && ! [ "$configuration" -ef "$image_yaml" ]; then graph_by=$configuration; fi

graph_file=$janus_dir/janusgraph.properties
if ! is_readable_file "$graph_file"; then
  warn_of_unreadable "$graph_file"
  if [ -n "${JANUS_CONFIG_DIR:-}" ]; then
    case $mounted in
      "$janus_dir"/*) ;;
      *) warn "JANUS_CONFIG_DIR has no effect: $configuration is the configuration. $janus_dir has no readable janusgraph-server.yaml, or $config_dir has a configuration, too." ;;
    esac
  fi
elif [ -z "$graph_by" ]; then
  graph_by=$graph_file
  export ENGINESERVER__GRAPHS__GRAPH="$graph_file"
elif [ "${ENGINESERVER__GRAPHS__GRAPH:-}" != "$graph_file" ] && ! grep -qs 'janusgraph\.properties' "$configuration"; then
  warn "$graph_file has no effect: $graph_by names the graphs."
fi
if [ -n "${JANUS_DATA_DIR:-}" ]; then
  warn "JANUS_DATA_DIR has no effect: graphs on disk are below SERVICE_HOME ($SERVICE_HOME) unless storage.directory names another folder. Mount the volume of the data there."
fi

if [ -n "${JANUS_SERVER_TIMEOUT:-}" ]; then
  warn "JANUS_SERVER_TIMEOUT has no effect: the scripts of JANUS_INITDB_DIR run in the server before it listens."
fi
if [ -n "${GREMLIN_REMOTE_HOSTS:-}" ]; then
  warn "GREMLIN_REMOTE_HOSTS has no effect: this image has no Gremlin Console."
fi

# The variables of JanusGraph's image. A template names the properties file of the default graph.
case ${JANUS_PROPS_TEMPLATE:-} in
  '') ;;
  inmemory | berkeleyje | berkeleyje-es | berkeleyje-lucene | cql | cql-es)
    case $JANUS_PROPS_TEMPLATE in
      berkeleyje-*) properties=berkeleyje ;;
      *) properties=$JANUS_PROPS_TEMPLATE ;;
    esac
    if [ -n "$graph_by" ]; then
      warn "JANUS_PROPS_TEMPLATE has no effect: $graph_by names the graphs."
    else
      export "ENGINESERVER__GRAPHS__GRAPH=conf/engine-server/janusgraph-$properties.properties"
      [ "$properties" = "$JANUS_PROPS_TEMPLATE" ] ||
        warn "JANUS_PROPS_TEMPLATE=$JANUS_PROPS_TEMPLATE: mixed indexes are kept in the graph's own store; no other index backend is used."
    fi
    ;;
  *)
    printf '%s\n' "ERROR: JANUS_PROPS_TEMPLATE is $JANUS_PROPS_TEMPLATE; it can be inmemory, berkeleyje, berkeleyje-es, berkeleyje-lucene, cql or cql-es." >&2
    exit 1
    ;;
esac

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

# The program reads the time that the start waits for Cassandra. JanusGraph's image has a default.
case ${ENGINESERVER__GRAPHS__GRAPH:-} in
  conf/engine-server/janusgraph-cql*) export "JANUS_STORAGE_TIMEOUT=${JANUS_STORAGE_TIMEOUT:-60}" ;;
  "$graph_file")
    if grep -Eqs '^[[:blank:]]*storage\.backend[=:[:blank:]]+(cql|scylla)' "$graph_file" &&
      ! grep -Eqs '^[[:blank:]]*storage\.setup-wait' "$graph_file"; then
      export "JANUS_STORAGE_TIMEOUT=${JANUS_STORAGE_TIMEOUT:-60}"
    fi
    ;;
esac
case ${JANUS_STORAGE_TIMEOUT:-} in
  *[!0-9]*)
    printf '%s\n' "ERROR: JANUS_STORAGE_TIMEOUT is $JANUS_STORAGE_TIMEOUT; it is a number of seconds." >&2
    exit 1
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

# In a container, a server with the default configuration of the launcher would listen on the loopback address only, and look healthy. So a
# configuration that the user names must be there.
case ${1:-} in
  engine-server | janusgraph | gremlin-server) [ -z "${2:-}" ] || required=true ;;
  *.yaml | *.yml) required=true ;;
esac
export "SERVICE_YAML_REQUIRED=${SERVICE_YAML_REQUIRED:-$required}"

# A heap snapshot is as large as the heap, and LOG_DIR is on the volume of the graph.
export "SERVICE_HEAP_SNAPSHOTS=${SERVICE_HEAP_SNAPSHOTS:-false}"

# Runs a command on the configuration that its words name, or else on that of the server.
on_configuration() {
  exec "$bin/engine-server.js" "$@" ${append:+"$append"}
}

case ${1:-engine-server} in
  engine-server | janusgraph | gremlin-server)
    [ $# -eq 0 ] || shift
    case ${1:-} in
      show-config | check-config) on_configuration "$@" ;;
    esac
    exec "$bin/service-server.sh" console "$@"
    ;;
  *.yaml | *.yml)
    exec "$bin/service-server.sh" console "$@"
    ;;
  show-config | check-config) on_configuration "$@" ;;
  healthcheck)
    socket=$(socket_of "${PID_DIR:-$SERVICE_HOME/run}" "${PID_FILE:-service.pid}")
    exec "$bin/engine-server.js" status --control-socket "$socket" > /dev/null
    ;;
  *) exec "$@" ;;
esac
