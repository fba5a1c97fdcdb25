#!/bin/sh
# Starts the default environment: the server with its shipped configuration. Storage and indexes are part of the server, so
# nothing else needs to start. Use service-server.sh for other configurations.

[ -n "${DEBUG:-}" ] && set -x
unset CDPATH

# Some shells drop variables with dots in their names, such as engineserver.enginePool. The kernel still has the environment that
# this process was given. One variable a line; line feeds in values are passed as record separators.
if [ -z "${SERVICE_DOTTED_ENVIRONMENT:-}" ] && [ -r "/proc/$$/environ" ]; then
  SERVICE_DOTTED_ENVIRONMENT=$(tr '\000\n' '\n\036' < "/proc/$$/environ" |
    LC_ALL=C sed -n -E '/^(engineserver|gremlinserver|service|janusgraph)(%d)?\./p')
  export SERVICE_DOTTED_ENVIRONMENT
fi

script=$0
case $script in
  */*) ;;
  *) script=$(command -v -- "$script") ;;
esac
while [ -h "$script" ]; do
  folder=$(cd -P -- "$(dirname -- "$script")" && pwd) || exit 1
  script=$(readlink -- "$script")
  case $script in
    /*) ;;
    *) script=$folder/$script ;;
  esac
done
bin=$(cd -P -- "$(dirname -- "$script")" && pwd) || exit 1

usage() {
  printf '%s\n' "Usage: $0 {start|stop|restart|status|usage}" \
    "Starts and stops the default environment. A configuration of your own: $bin/service-server.sh start <conf file>"
}

refuse() {
  printf '%s\n' "service.sh starts the default configuration only, and $1." \
    "Start a configuration of your own with: $bin/service-server.sh start ${2:-<conf file>}" >&2
  exit 2
}

case ${1:-} in
  start | stop | restart | status)
    [ $# -eq 1 ] || refuse "was given $2" "$2"
    [ -z "${SERVICE_YAML:-}${JANUSGRAPH_YAML:-}" ] ||
      refuse "SERVICE_YAML is ${SERVICE_YAML:-$JANUSGRAPH_YAML}" "${SERVICE_YAML:-$JANUSGRAPH_YAML}"
    exec "$bin/service-server.sh" "$1"
    ;;
  usage | help | -h | --help) usage ;;
  '')
    usage >&2
    exit 2
    ;;
  *) refuse "does not know '$1'" "$1" ;;
esac
