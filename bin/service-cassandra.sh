#!/bin/sh
# Starts, stops and queries the local Cassandra of the default environment with SERVICE_BACKEND=cql. service.sh runs it;
# docs/how-to/use-cassandra.md describes it. One node, on the loopback address only.

[ -n "${DEBUG:-}" ] && set -x
unset CDPATH

caller=$(pwd)
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
installation=${bin%/*}
. "$bin/service-functions.sh"

SERVICE_HOME=$(absolute "${SERVICE_HOME:-${JANUSGRAPH_HOME:-$installation}}")
LOG_DIR=$(absolute "${LOG_DIR:-$SERVICE_HOME/logs}")
PID_DIR=$(absolute "${PID_DIR:-$SERVICE_HOME/run}")
data=$(absolute "${CASSANDRA_DATA:-$SERVICE_HOME/db/cassandra}")
port=${CASSANDRA_PORT:-9042}
storage_port=${CASSANDRA_STORAGE_PORT:-7000}
heap=${CASSANDRA_HEAP:-1024M}
templates=$installation/conf/cassandra
pid_file=$PID_DIR/cassandra.pid
log_file=$LOG_DIR/cassandra.log
version=$(sed -n '/<artifactId>cassandra-all</{n;s/.*<version>\(.*\)<.*/\1/p;}' "$templates/pom.xml")
jars=$data/lib-$version
# An argument of the process, by which it is found again.
mark=-Dservice.cassandra.data=$data

# --- What is needed ----------------------------------------------------------------------------------------------------

# Prints the major version of a Java installation.
java_version() {
  "$1" -version 2>&1 | sed -n 's/.*version "\([0-9]*\)\..*/\1/p' | head -n 1
}

# Sets java_home. Cassandra needs the security manager, which newer versions of Java do not have.
find_java() {
  on_path=$(command -v java) && on_path=$(readlink -f -- "$on_path") && on_path=${on_path%/bin/java}
  found=
  for java_home in "${CASSANDRA_JAVA_HOME:-}" "${JAVA_HOME:-}" "${on_path:-}"; do
    [ -n "$java_home" ] && [ -x "$java_home/bin/java" ] || continue
    java_major=$(java_version "$java_home/bin/java")
    case $java_major in
      11 | 17) return 0 ;;
    esac
    found="$found${found:+, }$java_home has Java ${java_major:-of an unknown version}"
  done
  fail "ERROR: Cassandra needs Java 11 or 17: set CASSANDRA_JAVA_HOME to the folder of one${found:+ ($found)}."
}

# Replaces the markers of the shipped configuration.
write_configuration() {
  rm -rf -- "$data/conf"
  for name in conf data commitlog hints saved_caches cdc tmp logs; do
    make_folder CASSANDRA_DATA "$data/$name"
  done
  if [ -n "${CASSANDRA_HOME:-}" ]; then cp -R -- "$CASSANDRA_HOME/conf/." "$data/conf" || exit 1; fi
  sed -e "s|@DATA@|$data|g" -e "s|@PORT@|$port|g" -e "s|@STORAGE_PORT@|$storage_port|g" \
    "$templates/cassandra.yaml.template" > "$data/conf/cassandra.yaml" || exit 1
}

download() {
  command -v mvn > /dev/null || fail "ERROR: --download needs Maven (mvn), which is not on the path. Or set CASSANDRA_HOME."
  make_folder CASSANDRA_DATA "$data"
  printf '%s\n' "Maven fetches Cassandra $version (66 MB) to $jars."
  rm -rf -- "$jars.unfinished"
  mkdir -- "$jars.unfinished" || exit 1
  (cd -- "$data" && JAVA_HOME=$java_home mvn -B -q -f "$templates/pom.xml" dependency:copy-dependencies \
    "-DoutputDirectory=$jars.unfinished") || fail "ERROR: Maven could not fetch Cassandra $version."
  mv -- "$jars.unfinished" "$jars"
}

check_installation() {
  [ -x "$CASSANDRA_HOME/bin/cassandra" ] ||
    fail "ERROR: CASSANDRA_HOME is $CASSANDRA_HOME, where there is no bin/cassandra; name the folder of an installation."
  if [ "$java_major" = 17 ] && [ ! -e "$CASSANDRA_HOME/conf/jvm17-server.options" ]; then
    fail "ERROR: the Cassandra in $CASSANDRA_HOME needs Java 11, not 17: set CASSANDRA_JAVA_HOME."
  fi
  for jar in "$CASSANDRA_HOME"/lib/apache-cassandra-[123].* "$CASSANDRA_HOME"/lib/apache-cassandra-4.0*; do
    [ ! -e "$jar" ] || fail "ERROR: the Cassandra in $CASSANDRA_HOME is too old (${jar##*/}): 4.1 or later is needed."
  done
}

# --- The process --------------------------------------------------------------------------------------------------------

# Sets PID from the PID file, if the process is this Cassandra.
is_running() {
  PID=
  [ -r "$pid_file" ] || return 1
  IFS= read -r PID < "$pid_file"
  case $PID in
    '' | *[!0-9]*) return 1 ;;
  esac
  is_gone "$PID" && return 1
  if [ -r "/proc/$PID/cmdline" ]; then
    tr '\0' '\n' < "/proc/$PID/cmdline" 2>/dev/null | grep -q -F -x -e "$mark"
  elif command -v ps >/dev/null 2>&1; then
    ps -ww -p "$PID" -o args= 2>/dev/null | grep -q -F -e "$mark"
  fi
}

# True when a node answers the first message of the protocol (OPTIONS) with SUPPORTED. With the argument "any", when anything
# accepts a connection.
answers() {
  "$node" -e '
const socket = require("net").connect(Number(process.argv[1]), "127.0.0.1", () => {
  if (process.argv[2] === "any") process.exit(0)
  socket.write(Buffer.from([4, 0, 0, 0, 5, 0, 0, 0, 0]))
})
socket.setTimeout(2000, () => process.exit(1))
socket.on("error", () => process.exit(1))
socket.on("close", () => process.exit(1))
socket.on("data", (bytes) => process.exit(bytes[4] === 6 ? 0 : 1))' "$port" "${1:-}" 2>/dev/null
}

# Replaces this process by Cassandra. The output goes to the log.
become_cassandra() {
  cd -- "$data" || exit 1
  if [ -n "${CASSANDRA_HOME:-}" ]; then
    export CASSANDRA_HOME JAVA_HOME="$java_home" CASSANDRA_CONF="$data/conf" CASSANDRA_LOG_DIR="$data/logs" \
      MAX_HEAP_SIZE="$heap" HEAP_NEWSIZE="${CASSANDRA_HEAP_NEW:-256M}" JVM_EXTRA_OPTS="${JVM_EXTRA_OPTS:-} $mark"
    unset CASSANDRA_INCLUDE
    exec nohup "$CASSANDRA_HOME/bin/cassandra" -f -R
  fi
  for agent in "$jars"/jamm-*.jar; do :; done
  set -- "-javaagent:$agent" "$mark" "-Xms$heap" "-Xmx$heap" -XX:+UseG1GC \
    -XX:-UsePerfData -Djava.net.preferIPv4Stack=true -Djdk.attach.allowAttachSelf=true "-Djava.io.tmpdir=$data/tmp" \
    -Dio.netty.tryReflectionSetAccessible=true "-Dcassandra.config=file://$data/conf/cassandra.yaml" \
    "-Dlogback.configurationFile=$templates/logback.xml" "-Dcassandra.storagedir=$data" \
    "-Dcassandra.logdir=$data/logs" -Dcassandra-foreground=yes -Dcassandra.skip_wait_for_gossip_to_settle=0 \
    -Dcassandra.ring_delay_ms=1000
  [ "$java_major" = 11 ] || set -- "$@" -Djava.security.manager=allow
  set -- "$@" "@$templates/java.options" -cp "$jars/*" org.apache.cassandra.service.CassandraDaemon
  exec nohup "$java_home/bin/java" "$@"
}

# --- Commands -----------------------------------------------------------------------------------------------------------

start() {
  find_node
  check_seconds CASSANDRA_START_TIMEOUT "${CASSANDRA_START_TIMEOUT:-240}"
  before=0
  [ -f "$log_file" ] && before=$(wc -c < "$log_file")
  if is_running; then
    # It may be that of an earlier start, which did not wait until it answers.
    wait_for_answer
    printf '%s\n' "Cassandra already running with PID $PID."
    return 0
  fi
  find_java
  case $data in
    *[[:space:]]*) fail "ERROR: the folder of Cassandra's data must have no spaces: set CASSANDRA_DATA (it is $data)." ;;
  esac
  if [ -n "${CASSANDRA_HOME:-}" ]; then
    CASSANDRA_HOME=$(absolute "$CASSANDRA_HOME")
    check_installation
  elif [ ! -d "$jars" ]; then
    [ "${1:-}" = --download ] || fail "ERROR: SERVICE_BACKEND=cql needs Cassandra 4.1 or later: set CASSANDRA_HOME to the folder of an \
installation, or run '$bin/service.sh start --download', which fetches Cassandra $version (66 MB) with Maven."
    download
  fi
  if answers any; then
    fail "ERROR: another process listens on 127.0.0.1:$port. Set CASSANDRA_PORT to a free port. To use a Cassandra that runs already, \
start only the server: SERVICE_BACKEND=cql $bin/service-server.sh start"
  fi
  make_folder LOG_DIR "$LOG_DIR"
  make_folder PID_DIR "$PID_DIR"
  write_configuration
  become_cassandra >> "$log_file" 2>&1 < /dev/null &
  PID=$!
  printf '%s\n' "$PID" > "$pid_file"
  wait_for_answer
  printf '%s\n' "Cassandra started $PID on 127.0.0.1:$port."
}

# Ends with status 1 if the process ends before it answers, and with status 4 if it does not answer in time.
wait_for_answer() {
  halves=0
  until answers; do
    if is_gone "$PID"; then
      report_failure "Cassandra failed to start."
    elif [ "$halves" -ge "$((${CASSANDRA_START_TIMEOUT:-240} * 2))" ]; then
      # It may read a long commit log. A kill would make the next start need as long.
      printf '%s\n' "Cassandra [$PID] has not answered within ${CASSANDRA_START_TIMEOUT:-240} seconds, and is still starting. Its log is $data/logs/system.log." >&2
      exit 4
    fi
    sleep 0.5
    halves=$((halves + 1))
  done
}

report_failure() {
  rm -f -- "$pid_file"
  printf '%s\n' "$1 Its log is $data/logs/system.log. The last lines of $log_file:" >&2
  tail -c "+$((before + 1))" -- "$log_file" | tail -n 20 >&2
  exit 1
}

stop() {
  if ! is_running; then
    [ ! -e "$pid_file" ] || rm -f -- "$pid_file"
    printf '%s\n' "Cassandra not running"
    return 0
  fi
  # Cassandra writes its memory to the disk before it ends.
  kill -TERM "$PID" 2>/dev/null || fail "Unable to stop Cassandra [$PID]"
  tenths=0
  until is_gone "$PID"; do
    [ "$tenths" -lt 1200 ] || fail "Unable to stop Cassandra [$PID] within 120 seconds"
    sleep 0.1
    tenths=$((tenths + 1))
  done
  rm -f -- "$pid_file"
  printf '%s\n' "Cassandra stopped [$PID]"
}

# Exit status as that of service-server.sh: 0 running, 1 dead with a PID file, 3 not running.
status() {
  if is_running; then
    find_node
    answering=
    answers || answering=", but does not answer on 127.0.0.1:$port"
    printf '%s\n' "Cassandra running with PID $PID$answering"
    return 0
  elif [ -e "$pid_file" ]; then
    printf '%s\n' "Cassandra not running, but the PID file $pid_file exists"
    return 1
  fi
  printf '%s\n' "Cassandra not running"
  return 3
}

case ${1:-} in
  start)
    case ${2:-} in
      '' | --download) start "${2:-}" ;;
      *) fail "start takes --download, not $2" ;;
    esac
    ;;
  stop) stop ;;
  status) status ;;
  *)
    printf '%s\n' "Usage: $0 {start [--download]|stop|status}" \
      "The local Cassandra of the default environment: SERVICE_BACKEND=cql $bin/service.sh start" >&2
    exit 2
    ;;
esac
