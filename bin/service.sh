#!/bin/sh
# Starts the default environment: the server with its shipped configuration. Storage and indexes are part of the server, so
# nothing else needs to start. With SERVICE_BACKEND=cql the graph is in a local Cassandra, which starts before the server and
# stops after it. Use service-server.sh for other configurations.

[ -n "${DEBUG:-}" ] && set -x
unset CDPATH

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
  printf '%s\n' "Usage: $0 {start [--download]|stop|restart|status|usage}" \
    "Starts and stops the default environment. A configuration of your own: $bin/service-server.sh start <conf file>" \
    "SERVICE_BACKEND=cql: the graph is in a local Cassandra, that of CASSANDRA_HOME or one that --download fetches with Maven."
}

refuse() {
  printf '%s\n' "service.sh starts the default configuration only, and $1." \
    "Start a configuration of your own with: $bin/service-server.sh start ${2:-<conf file>}" >&2
  exit 2
}

# Runs the launcher of Cassandra. Without SERVICE_BACKEND=cql it prints only what concerns a Cassandra of an earlier start.
cassandra() {
  if [ "${SERVICE_BACKEND:-}" = cql ]; then
    "$bin/service-cassandra.sh" "$@"
  elif said=$("$bin/service-cassandra.sh" "$@" 2>&1); then
    case $said in
      "Cassandra not running") ;;
      *) printf '%s\n' "$said" ;;
    esac
  else
    status=$?
    case $said in
      "Cassandra not running") ;;
      *) printf '%s\n' "$said" >&2 ;;
    esac
    return "$status"
  fi
}

start() {
  [ "${SERVICE_BACKEND:-}" = cql ] || exec "$bin/service-server.sh" start
  ran=
  "$bin/service-cassandra.sh" status > /dev/null && ran=yes
  "$bin/service-cassandra.sh" start "$@" || exit
  "$bin/service-server.sh" start && return 0
  failed=$?
  # A server that is still starting, or ran before, needs its Cassandra. The status alone does not say whether a server runs.
  case $("$bin/service-server.sh" status 2> /dev/null) in
    "Server running "*) exit "$failed" ;;
  esac
  [ -n "$ran" ] || "$bin/service-cassandra.sh" stop
  exit 1
}

stop() {
  "$bin/service-server.sh" stop || exit 1
  cassandra stop
}

# Exit status: 0 when all runs, 3 when nothing runs, otherwise 1.
status() {
  "$bin/service-server.sh" status
  server=$?
  cassandra status
  storage=$?
  [ "${SERVICE_BACKEND:-}" = cql ] || exit "$server"
  [ "$server" -ne "$storage" ] || exit "$server"
  exit 1
}

caller=$(pwd)
. "$bin/service-functions.sh"
keep_dotted_variables
check_backend
command=${1:-}
case $command in
  start | stop | restart | status)
    shift
    case ${SERVICE_BACKEND:-}:$command:$* in
      *: | cql:start:--download) ;;
      *) refuse "was given $1" "$1" ;;
    esac
    [ -z "${SERVICE_YAML:-}${JANUSGRAPH_YAML:-}" ] ||
      refuse "SERVICE_YAML is ${SERVICE_YAML:-$JANUSGRAPH_YAML}" "${SERVICE_YAML:-$JANUSGRAPH_YAML}"
    case $command in
      start) start "$@" ;;
      stop) stop ;;
      restart)
        if [ "${SERVICE_BACKEND:-}" = cql ]; then
          "$bin/service-server.sh" check-restart || exit
          stop
          start
        else
          # It checks the configuration before it stops the server.
          "$bin/service-server.sh" restart || exit
          cassandra stop || :
        fi
        ;;
      status) status ;;
    esac
    ;;
  usage | help | -h | --help) usage ;;
  '')
    usage >&2
    exit 2
    ;;
  *) refuse "does not know '$1'" "$1" ;;
esac
