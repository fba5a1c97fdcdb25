#!/bin/sh
# Starts, stops and queries the server. `service-server.sh usage` prints its arguments; docs/reference/command-line.md describes every
# environment variable. POSIX sh: nothing here needs bash.

### BEGIN INIT INFO
# Provides:          engine-server
# Required-Start:    $remote_fs $syslog $network
# Required-Stop:     $remote_fs $syslog $network
# Default-Start:     2 3 4 5
# Default-Stop:      0 1 6
# Short-Description: Graph traversal server
### END INIT INFO

[ -n "${DEBUG:-}" ] && set -x
unset CDPATH

# --- Places ------------------------------------------------------------------------------------------------------------

caller=$(pwd)

# The script itself, with all symbolic links resolved.
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
keep_dotted_variables

SERVICE_HOME=$(absolute "${SERVICE_HOME:-${JANUSGRAPH_HOME:-$installation}}")
SERVICE_CONF=$(absolute "${SERVICE_CONF:-${JANUSGRAPH_CONF:-$SERVICE_HOME/conf}}")
SERVICE_LIB=$(absolute "${SERVICE_LIB:-${JANUSGRAPH_LIB:-$SERVICE_HOME/lib}}")
LOG_DIR=$(absolute "${LOG_DIR:-$SERVICE_HOME/logs}")
LOG_FILE=$(absolute "${LOG_FILE:-$LOG_DIR/service.log}")
PID_DIR=$(absolute "${PID_DIR:-$SERVICE_HOME/run}")
PID_FILE=$(absolute "${PID_FILE:-$PID_DIR/service.pid}")
options_named=${JAVA_OPTIONS_FILE:-}
# A folder of configurations elsewhere need not have a copy of every shipped file.
if [ -z "${JAVA_OPTIONS_FILE:-}" ]; then
  for JAVA_OPTIONS_FILE in "$SERVICE_CONF/jvm.options" "$installation/conf/jvm.options"; do
    [ ! -e "$JAVA_OPTIONS_FILE" ] || break
  done
fi
JAVA_OPTIONS_FILE=$(absolute "$JAVA_OPTIONS_FILE")
if [ -n "$options_named" ] || [ -e "$JAVA_OPTIONS_FILE" ]; then
  # /dev/null is no file, and stands for no options.
  { [ -f "$JAVA_OPTIONS_FILE" ] && [ -r "$JAVA_OPTIONS_FILE" ]; } || [ "$JAVA_OPTIONS_FILE" = /dev/null ] ||
    printf '%s\n' "WARNING: the options file $JAVA_OPTIONS_FILE cannot be read." >&2
fi
yaml_from_environment=${SERVICE_YAML:-${JANUSGRAPH_YAML:-}}
export SERVICE_HOME SERVICE_CONF SERVICE_LIB

# An environment variable of this name is not the configuration.
conf=
socket=$(socket_of "$PID_DIR" "$PID_FILE")

# $CP names another program: a file, or the folder of another installation.
find_program() {
  program=$bin/engine-server.js
  [ -n "${CP:-}" ] || return 0
  for candidate in "$CP" "$CP/bin/engine-server.js" "$CP/main.js"; do
    candidate=$(absolute "$candidate")
    if [ -f "$candidate" ]; then
      program=$candidate
      return 0
    fi
  done
  fail "CP is $CP, where there is no server program."
}

is_readable_file() {
  [ -f "$1" ] && [ -r "$1" ]
}

# Prints the file of a path: relative to the caller's folder, to SERVICE_HOME or to SERVICE_CONF.
find_file() {
  for candidate in "$(absolute "$1")" "$SERVICE_HOME/$1" "$SERVICE_CONF/$1"; do
    if is_readable_file "$candidate"; then
      printf '%s\n' "$candidate"
      return 0
    fi
  done
  return 1
}

find_default_conf() {
  if [ "${SERVICE_BACKEND:-}" = cql ]; then
    for candidate in "$SERVICE_CONF" "$installation/conf"; do
      candidate=$candidate/engine-server/engine-server-cql.yaml
      if is_readable_file "$candidate"; then
        printf '%s\n' "$candidate"
        return 0
      fi
    done
    return 1
  fi
  for candidate in "$SERVICE_CONF/engine-server/engine-server.yaml" "$SERVICE_CONF/gremlin-server/gremlin-server.yaml" \
    "$SERVICE_CONF/janusgraph-server.yaml" "$installation/conf/engine-server/engine-server.yaml"; do
    if is_readable_file "$candidate"; then
      printf '%s\n' "$candidate"
      return 0
    fi
  done
  return 1
}

# Prints why a configuration cannot be read, with suggestions of similar files.
unreadable() {
  "$node" "$program" check-config -- "$1" 2>&1 | sed -n -e 's/^  *//' -e '2p'
}

# Sets conf: the argument, else $SERVICE_YAML, else the default. A missing file is replaced by the default, which
# SERVICE_CONFIGURATION_FALLBACK reports; with the first argument "strict" or $SERVICE_YAML_REQUIRED it is an error.
choose_conf() {
  [ -z "${conf:-}" ] || return 0
  check_backend
  unset SERVICE_CONFIGURATION_FALLBACK
  wanted=${2:-$yaml_from_environment}
  if [ -n "$wanted" ] && conf=$(find_file "$wanted"); then return 0; fi
  conf=
  default_yaml=engine-server.yaml
  [ "${SERVICE_BACKEND:-}" != cql ] || default_yaml=engine-server-cql.yaml
  if [ -n "$wanted" ]; then
    case $1:${SERVICE_YAML_REQUIRED:-false} in
      strict:* | *:true | *:yes | *:1)
        fail "ERROR: the configuration $wanted is not a readable file: $(unreadable "$wanted")"
        ;;
    esac
  fi
  conf=$(find_default_conf) || fail "There is no configuration: $SERVICE_CONF/engine-server/$default_yaml is missing."
  if [ -n "$wanted" ]; then
    SERVICE_CONFIGURATION_FALLBACK="the configuration $wanted is not a readable file, and $conf is used instead: $(unreadable "$wanted")"
    export SERVICE_CONFIGURATION_FALLBACK
    warn_of_fallback
  fi
}

warn_of_fallback() {
  [ -z "${SERVICE_CONFIGURATION_FALLBACK:-}" ] || printf '%s\n' "WARNING: $SERVICE_CONFIGURATION_FALLBACK" >&2
}

# npm removes the folder of a package when it installs another version, and with it what the server has stored there.
warn_of_package_folder() {
  case $SERVICE_HOME/ in
    */node_modules/*) printf '%s\n' "WARNING: the server stores its data below $SERVICE_HOME, which npm removes with the next version of the package. Set SERVICE_HOME and SERVICE_CONF to folders outside node_modules, or storage.directory to an absolute path." >&2 ;;
  esac
}

# Fails for a configuration that the server would not start with. Without a running server, the start reports it.
check_conf() {
  is_running || return 0
  (cd -- "$SERVICE_HOME" && "$node" "$program" check-config --quiet --log-file "$LOG_FILE" -- "$conf") ||
    fail "ERROR: the server would not start with the configuration $conf, so it was not stopped."
}

# --- The process --------------------------------------------------------------------------------------------------------

# Ends with status 4, in which the Linux Standard Base has "unknown", if this user cannot see whether a server runs.
check_pid_file() {
  folder=$(dirname -- "$PID_FILE")
  if { [ -d "$folder" ] && [ ! -x "$folder" ]; } || { [ -f "$PID_FILE" ] && [ ! -r "$PID_FILE" ]; }; then
    printf '%s\n' "ERROR: this user may not read the PID file $PID_FILE, and cannot see whether the server runs. Run the command as the user of the server, or as root." >&2
    exit 4
  fi
}

# Sets PID from the PID file.
read_pid() {
  PID=
  check_pid_file
  [ -r "$PID_FILE" ] || return 1
  IFS= read -r PID < "$PID_FILE"
  case $PID in
    '' | *[!0-9]*) PID= && return 1 ;;
  esac
}

# Fails for a file that holds something else than a process id: it may be a file of the user, named by mistake.
keep_other_file() {
  check_pid_file
  [ -e "$PID_FILE" ] || return 0
  [ -f "$PID_FILE" ] && [ -r "$PID_FILE" ] && [ -z "$(tr -d '0-9[:space:]' < "$PID_FILE" | head -c 1)" ] ||
    fail "ERROR: PID_FILE $PID_FILE exists and holds something else than a process id; remove it, or name another file."
}

# Removes the PID file and the control socket of a server that has ended.
remove_leftovers() {
  rm -f -- "$PID_FILE"
  [ ! -S "$socket" ] || rm -f -- "$socket"
}

# True for a server that was started with this PID file. After a reboot the PID may belong to another process, even to the server
# of another installation. The path of the PID file may differ by links.
is_server() {
  if [ -d /proc/self ]; then
    [ -r "/proc/$1/cmdline" ] || return 1
    named=$(tr '\0' '\n' < "/proc/$1/cmdline" 2>/dev/null | sed -n '/^--pid-file$/{n;p;q;}')
    [ -n "$named" ] || return 1
    [ "$named" = "$PID_FILE" ] && return 0
    [ "${named##*/}" = "${PID_FILE##*/}" ] && [ "$(dirname -- "$named")" -ef "$(dirname -- "$PID_FILE")" ]
  elif command -v ps >/dev/null 2>&1; then
    ps -ww -p "$1" -o args= 2>/dev/null | grep -q -F -e "--pid-file $PID_FILE "
  else
    kill -0 "$1" 2>/dev/null
  fi
}

is_running() {
  read_pid && is_server "$PID"
}

# True for a process that may be starting a server. The PID of an ended start may belong to another process.
is_starting() {
  if [ -d /proc/self ]; then
    tr '\0' '\n' 2>/dev/null < "/proc/$1/cmdline" | grep -q -E '^(start|restart|console)$|\.ya?ml$'
  else
    kill -0 "$1" 2>/dev/null
  fi
}

# Prints the PID of a process, and its start in clock ticks after the boot where /proc has it. Together they name one process: another one
# gets the PID after a reboot, and in the next container that uses the same volume.
identity() {
  ticks=
  # The name of the program is in parentheses, and may have blanks.
  [ ! -r "/proc/$1/stat" ] || ticks=$(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f 20)
  printf '%s\n' "$1${ticks:+.$ticks}"
}

# True when the start that made the lock has ended without removing it.
is_stale() {
  for owner in "$lock"/*; do
    [ -d "$owner" ] || continue
    owner=${owner##*/}
    # This start has no lock yet: an earlier one had the same PID.
    [ "${owner%%.*}" != "$$" ] || return 0
    case $owner in
      *.*) [ "$(identity "${owner%%.*}")" = "$owner" ] || return 0 ;;
    esac
    if is_starting "${owner%%.*}"; then return 1; else return 0; fi
  done
  # The start was killed before it wrote its PID, which takes less than a minute.
  [ -n "$(find "$lock" -prune -mmin +1 2>/dev/null)" ]
}

# Makes a lock, which is a folder. False if another start has it. Ends this one if something else prevents it, such as a full disk.
make_lock() {
  if problem=$(LC_ALL=C mkdir -- "$1" 2>&1); then return 0; fi
  # The other start may have removed it since.
  case $problem in *'File exists'*) return 1 ;; esac
  fail "ERROR: the lock of the start cannot be made: $problem"
}

# Allows one start at a time: mkdir succeeds for only one. A second lock protects the removal of a stale lock, so that no start
# removes the lock that another one has just taken.
take_lock() {
  lock=$PID_FILE.lock
  if ! make_lock "$lock"; then
    is_stale && make_lock "$lock.takeover" ||
      fail "Another start is under way; if not, remove $lock and $lock.takeover."
    took=
    if is_stale; then
      rmdir -- "$lock"/* 2>/dev/null
      rmdir -- "$lock" 2>/dev/null
      mkdir -- "$lock" 2>/dev/null && took=yes
    fi
    rmdir -- "$lock.takeover"
    [ -n "$took" ] || fail "Another start is under way; if not, remove $lock."
  fi
  trap release_lock EXIT
  trap 'exit 130' INT TERM
  own=$(identity "$$")
  make_lock "$lock/$own"
}

release_lock() {
  rmdir -- "$lock/$own" "$lock" 2>/dev/null
}

megabytes() {
  number=${1%[kKmMgGtT]}
  case $number in
    '' | *[!0-9]*) return 1 ;;
  esac
  case $1 in
    *[kK]) printf '%s\n' $((number / 1024)) ;;
    *[mM]) printf '%s\n' "$number" ;;
    *[gG]) printf '%s\n' $((number * 1024)) ;;
    *[tT]) printf '%s\n' $((number * 1048576)) ;;
    *) printf '%s\n' $((number / 1048576)) ;;
  esac
}

# Prints the Node.js option that corresponds to a JVM option; fails when there is none.
translate() {
  case $1 in
    -Xmx*) size=$(megabytes "${1#-Xmx}") ;;
    -XX:MaxHeapSize=*) size=$(megabytes "${1#*=}") ;;
    -XX:+HeapDumpOnOutOfMemoryError)
      printf '%s\n' --heapsnapshot-near-heap-limit=1
      return 0
      ;;
    -XX:HeapDumpPath=*)
      printf '%s\n' "--diagnostic-dir=${1#*=}"
      return 0
      ;;
    --add-* | --illegal-access=* | --enable-preview | --enable-native-access=* | --patch-module*) return 1 ;;
    --*)
      printf '%s\n' "$1"
      return 0
      ;;
    *) return 1 ;;
  esac
  [ -n "$size" ] && [ "$size" -gt 0 ] && printf '%s\n' "--max-old-space-size=$size"
}

# Prints a heap snapshot in a folder.
find_snapshot() {
  for file in "$1"/*.heapsnapshot; do
    [ -e "$file" ] || return 1
    printf '%s\n' "$file"
    return 0
  done
}

# Adds a line for the log of the server.
note() {
  SERVICE_LAUNCHER_NOTES="${SERVICE_LAUNCHER_NOTES:-}${SERVICE_LAUNCHER_NOTES:+
}$*"
  export SERVICE_LAUNCHER_NOTES
}

# Java reads this property itself. The server listens on IPv4 only when its host is 0.0.0.0.
prefer_ipv4() {
  SERVICE_PREFER_IPV4=$1
  export SERVICE_PREFER_IPV4
}

# Replaces the heap limit in $translated, which the options file has, by that of the memory if this is less. The server logs it.
limit_by_memory() {
  [ -n "$heap_megabytes" ] && [ "${translated#*=}" -gt "$heap_megabytes" ] 2> /dev/null || return 0
  translated=--max-old-space-size=$heap_megabytes
  note "$option of $JAVA_OPTIONS_FILE is more than the memory allows: the heap has at most $heap_megabytes MB. A limit in JAVA_OPTIONS is kept."
}

# Keeps what $1 says about heap snapshots and IPv4. Fails for an option that Node.js gets, too.
keep_option() {
  case $1 in
    -XX:[+-]HeapDumpOnOutOfMemoryError) snapshots=$1 ;;
    -XX:HeapDumpPath=*)
      snapshot_folder=${1#*=}
      return 1
      ;;
    -Djava.net.preferIPv4Stack=*) prefer_ipv4 "${1#*=}" ;;
    *) return 1 ;;
  esac
}

# Replaces this process by the server; "$@" is put before the node command. JVM options come from the options file, then from
# $JAVA_OPTIONS, which wins. A heap limit in NODE_OPTIONS wins over the file, and the memory limits that of the file.
become_server() {
  limit_heap
  untranslated=
  unset SERVICE_LAUNCHER_NOTES SERVICE_SNAPSHOT_WANTED
  # The server says at a reload that the file was changed.
  export JAVA_OPTIONS_FILE
  snapshots=
  snapshot_folder=$LOG_DIR
  return=$(printf '\r')
  set -- "$@" "$node"
  [ -z "$LOG_DIR" ] || set -- "$@" "--diagnostic-dir=$LOG_DIR"
  # Under load, requests that wait for storage survive the collections of a small young generation, which copies them each time.
  case ${NODE_OPTIONS:-} in
    *max?semi?space?size*) ;;
    *) set -- "$@" "--max-semi-space-size=$semi_space" ;;
  esac
  if is_readable_file "$JAVA_OPTIONS_FILE"; then
    # Blanks around an option have no meaning, and neither has the carriage return of an editor of Windows.
    while read -r option || [ -n "$option" ]; do
      option=${option%"$return"}
      case $option in
        -*) ;;
        *) continue ;;
      esac
      case $option@${NODE_OPTIONS:-} in
        -Xmx*@*max?old?space?size* | -XX:MaxHeapSize=*@*max?old?space?size* | --max?old?space?size*@*max?old?space?size*)
          continue
          ;;
      esac
      if keep_option "$option"; then continue; fi
      if translated=$(translate "$option"); then
        case $translated in
          --max?old?space?size=*)
            limit_by_memory
            default_megabytes=
            ;;
        esac
        set -- "$@" "$translated"
      else
        untranslated="$untranslated${untranslated:+, }$option"
      fi
    done < "$JAVA_OPTIONS_FILE"
    [ "${SERVICE_HEAP_SNAPSHOTS:-true}" != false ] || snapshots=
  fi
  set -f
  for option in ${JAVA_OPTIONS:-}; do
    if keep_option "$option"; then continue; fi
    if translated=$(translate "$option"); then
      set -- "$@" "$translated"
    else
      untranslated="$untranslated${untranslated:+, }$option"
    fi
  done
  set +f
  [ -z "$default_megabytes" ] || set -- "$@" "--max-old-space-size=$default_megabytes"
  case $snapshots in
    *+*)
      # One is enough to find the reason, and each is as large as the heap.
      if existing=$(find_snapshot "${snapshot_folder:-$SERVICE_HOME}"); then
        note "The server writes no heap snapshot, because $existing exists. It writes one after a restart without this file; with workers, a reload is enough."
        # The primary process decides for each worker that it starts.
        SERVICE_SNAPSHOT_WANTED=true
        export SERVICE_SNAPSHOT_WANTED
      else
        set -- "$@" "$(translate "$snapshots")"
      fi
      ;;
  esac
  SERVICE_UNTRANSLATED_OPTIONS=$untranslated
  export SERVICE_UNTRANSLATED_OPTIONS
  set -- "$@" "$program" serve --pid-file "$PID_FILE" --control-socket "$socket" --log-file "$log_target" "$conf"
  exec "$@"
}

# --- Commands -----------------------------------------------------------------------------------------------------------

start() {
  find_node
  find_program
  check_seconds SERVICE_START_TIMEOUT "${SERVICE_START_TIMEOUT:-120}"
  choose_conf lenient "${1:-}"
  make_folder LOG_DIR "$LOG_DIR"
  make_folder "LOG_FILE's folder" "$(dirname -- "$LOG_FILE")"
  # The log has requests of clients. The server creates it with the same mode after a rotation.
  (umask g-w,o= && : >> "$LOG_FILE") 2> /dev/null || fail "ERROR: LOG_FILE $LOG_FILE cannot be written; name another file."
  make_folder PID_DIR "$PID_DIR"
  make_folder "PID_FILE's folder" "$(dirname -- "$PID_FILE")"
  keep_other_file
  take_lock
  if is_running; then fail "Server already running with PID $PID."; fi
  remove_leftovers
  cd -- "$SERVICE_HOME" || fail "ERROR: SERVICE_HOME $SERVICE_HOME is not a folder."

  before=0
  [ -f "$LOG_FILE" ] && before=$(wc -c < "$LOG_FILE")
  log_target=$LOG_FILE
  become_server nohup >> "$LOG_FILE" 2>&1 < /dev/null &
  PID=$!
  printf '%s\n' "$PID" > "$PID_FILE"

  # The server creates its socket last, when the port accepts connections.
  tenths=0
  while [ ! -S "$socket" ]; do
    if is_gone "$PID"; then
      report_failure "Server failed to start."
    elif [ "$tenths" -ge "$((${SERVICE_START_TIMEOUT:-120} * 10))" ]; then
      # Scripts and data that it loads may take longer. A kill would lose their work, and the next start would need as long.
      printf '%s\n' "Server [$PID] has not started within ${SERVICE_START_TIMEOUT:-120} seconds, and is still starting. $0 status says whether it serves, and $0 stop ends it. The last lines of $LOG_FILE:" >&2
      last_lines >&2
      exit 4
    fi
    sleep 0.1
    tenths=$((tenths + 1))
  done
  printf '%s\n' "Server started $PID."
  warn_of_package_folder
  warn_of_fallback
}

report_failure() {
  rm -f -- "$PID_FILE"
  printf '%s\n' "$1 The last lines of $LOG_FILE:" >&2
  last_lines >&2
  exit 1
}

# Prints the last lines of the log that this start has written.
last_lines() {
  tail -c "+$((before + 1))" -- "$LOG_FILE" | tail -n 20
}

stop() {
  if ! is_running; then
    keep_other_file
    printf '%s\n' "Server not running"
    remove_leftovers
    return 0
  fi
  # The server may have ended since it was found.
  kill -TERM "$PID" 2>/dev/null || ! is_server "$PID" ||
    fail "Unable to stop server [$PID]: this user may not end the process. Run the command as the user of the server, or as root."
  tenths=0
  while is_server "$PID"; do
    # After the first signal requests may end; the second one ends the process at once.
    if [ "$tenths" -eq 300 ]; then kill -TERM "$PID" 2>/dev/null; fi
    if [ "$tenths" -ge 600 ]; then
      fail "Unable to stop server [$PID]: it has not ended within 60 seconds. The last lines of its log say what it waits for; kill -KILL $PID ends it at once."
    fi
    sleep 0.1
    tenths=$((tenths + 1))
  done
  remove_leftovers
  printf '%s\n' "Server stopped [$PID]"
}

# Exit status as the Linux Standard Base has it: 0 running, 1 dead with a PID file, 3 not running, 4 unknown or not serving.
status() {
  if is_running; then
    if [ ! -S "$socket" ]; then
      printf '%s\n' "Server running with PID $PID. It is still starting, or ending: there is no control socket $socket"
      return 4
    fi
    printf '%s\n' "Server running with PID $PID"
    find_node
    find_program
    serving=0
    "$node" "$program" status --control-socket "$socket" || serving=$?
    # A server that starts does not answer yet. Status 4: it runs, and no worker serves.
    [ "$serving" -ne 4 ] || return 4
    return 0
  elif [ -e "$PID_FILE" ]; then
    printf '%s\n' "Server not running, but the PID file $PID_FILE exists"
    return 1
  fi
  printf '%s\n' "Server not running"
  return 3
}

console() {
  find_node
  find_program
  choose_conf lenient "${1:-}"
  make_folder PID_DIR "$PID_DIR"
  make_folder "PID_FILE's folder" "$(dirname -- "$PID_FILE")"
  keep_other_file
  take_lock
  if is_running; then fail "Server already running with PID $PID."; fi
  remove_leftovers
  # LOG_DIR is used only for heap snapshots, and a container may have no folder for them. That of the PID file may be in memory.
  mkdir -p -- "$LOG_DIR" 2> /dev/null && [ -w "$LOG_DIR" ] || LOG_DIR=
  cd -- "$SERVICE_HOME" || fail "ERROR: SERVICE_HOME $SERVICE_HOME is not a folder."
  log_target=-
  warn_of_package_folder
  # exec keeps the PID of this process, by which the server is found.
  printf '%s\n' "$$" > "$PID_FILE"
  release_lock
  become_server
}

dump() {
  format=text
  case ${1:-} in
    -format=json | --format=json) format=json && shift ;;
    -format=text | --format=text) shift ;;
    -*) fail "dump takes -format=json or -format=text, not $1" ;;
  esac
  # A wrapper may give each command the configuration, which a dump must not overwrite.
  case ${1:-} in
    *.yaml | *.yml | *.properties) refuse "dump writes to a file, and '$1' is the name of a configuration." ;;
  esac
  is_running || fail "Server not running"
  if [ -n "${1:-}" ] && is_conf_of_server "$1"; then
    refuse "dump writes to a file, and '$1' is the configuration of the server."
  fi
  find_node
  find_program
  if [ -z "${1:-}" ]; then
    "$node" "$program" dump --format "$format" --control-socket "$socket"
    return
  fi
  # The dump contains requests of clients, so only the owner may read it.
  umask 077
  file=$(absolute "$1")
  "$node" "$program" dump --format "$format" --control-socket "$socket" > "$file" || exit 1
  printf '%s\n' "Written to $file"
}

# True for the configuration that the running server was started with, as far as the system tells it.
is_conf_of_server() {
  named=$(find_file "$1") && started_with=$(conf_of_server) && [ "$named" -ef "$started_with" ]
}

# The configuration that the running server was started with. Fails where the system does not tell.
conf_of_server() {
  [ -r "/proc/$PID/cmdline" ] && tr '\0' '\n' 2>/dev/null < "/proc/$PID/cmdline" | tail -n 1
}

# Replaces the workers of the running server, one after another.
reload() {
  is_running || fail "Server not running"
  [ -z "${1:-}" ] || ! conf_of_server > /dev/null || is_conf_of_server "$1" ||
    printf '%s\n' "WARNING: the server reads the configuration that it was started with, and not $1." >&2
  find_node
  find_program
  exec "$node" "$program" reload --control-socket "$socket"
}

# Allows requests again that workers died of.
unblock() {
  is_running || fail "Server not running"
  find_node
  find_program
  exec "$node" "$program" unblock --control-socket "$socket"
}

# Uses the running server, which may have the users in memory and applies changes at once.
credentials() {
  find_node
  find_program
  if is_running; then
    exec "$node" "$program" credentials "$@" --control-socket "$socket"
  fi
  choose_conf strict ""
  cd -- "$SERVICE_HOME" || fail "ERROR: SERVICE_HOME $SERVICE_HOME is not a folder."
  exec "$node" "$program" credentials "$@" --config "$conf"
}

# Uses the running server, or else the graphs of the configuration, which no server has open then.
tool() {
  find_node
  find_program
  if is_running; then
    exec "$node" "$program" "$@" --control-socket "$socket"
  fi
  choose_conf strict ""
  exec "$node" "$program" "$@" --config "$conf"
}

usage() {
  cat << END
Usage: $0 {start [conf file]|stop|restart [conf file]|status|console [conf file]|reload|unblock|usage <group> <artifact> <version>|dump [-format=json] [file]|credentials <action>|import <file>...|export <target>|backup <file>|restore <file>|stats|verify [--repair]|<conf file>}

    start        Start the server in the background. The configuration is the second argument or \$SERVICE_YAML; without
                 either, or when it is not a readable file, conf/engine-server/engine-server.yaml. Returns when the server
                 accepts connections, or with status 4 when it is still starting after SERVICE_START_TIMEOUT seconds (120).
                 With SERVICE_YAML_REQUIRED=true a file that is not readable is an error.
    stop         Stop the server: requests that run may end, then connections are closed.
    restart      Stop and start the server. Name the configuration again to keep one that is not the default.
    status       Check whether the server is running (exit status 0 running, 1 dead with a PID file, 3 not running, 4 unknown or not serving)
    reload       Replace the worker processes one after another by new ones, which read the program and the configuration
                 again. Needs the setting workers
    unblock      Allow requests again that the server refuses because two workers died of them
    console      Start the server in the foreground, with its log on standard output
    dump         Print what every lane of the request pool and every session is doing, or write it to a file
    credentials  Users: list, add <user>, passwd <user>, role <user>, remove <user>; see docs/how-to/secure.md
    import, export, backup, restore, stats, verify
                 Work on a graph, of the running server or on disk; see docs/reference/tools.md
    usage        Print this help
    <conf file>  As console, with that configuration

Environment: SERVICE_HOME SERVICE_CONF SERVICE_YAML SERVICE_YAML_REQUIRED SERVICE_BACKEND SERVICE_LIB LOG_DIR LOG_FILE PID_DIR PID_FILE JAVA_OPTIONS_FILE
JAVA_OPTIONS NODE_HOME NODE_OPTIONS JAVA_HOME CP DEBUG; docs/reference/command-line.md describes them.
END
}

# Prints why a word is neither a command nor a configuration file, with suggestions. It starts nothing, whatever the word is.
unknown() {
  find_node
  find_program
  case $1 in
    -*) printf '%s\n' "There is no option '$1'." ;;
    serve | check-config | show-config | graphs) printf '%s\n' "'$1' is a command of $bin/engine-server.js, and not of $0." ;;
    *[./]*)
      if [ -e "$(absolute "$1")" ]; then
        printf '%s\n' "'$1' is not a readable file."
      else
        printf '%s\n' "There is no configuration file '$1': $(unreadable "$1")"
      fi
      ;;
    *)
      # With this variable the program only suggests a command.
      commands="start stop restart status reload unblock console dump credentials import export backup restore stats verify usage"
      SERVICE_LAUNCHER_COMMANDS=$commands "$node" "$bin/engine-server.js" -- "$1" 2>&1
      ;;
  esac
}

# Prints what is wrong with the words of the command, and the usage.
refuse() {
  printf '%s\n\n' "$1" >&2
  usage >&2
  exit 2
}

command=${1:-}
[ $# -gt 0 ] && shift

# True for a word that names a configuration.
is_conf_word() {
  case $1 in
    *.yaml | *.yml) return 0 ;;
  esac
  find_file "$1" > /dev/null
}

# These commands have no options. One that was meant for another program must not start or stop a server.
case $command:${1:-} in
  start:-* | stop:-* | restart:-* | status:-* | console:-* | reload:-* | unblock:-* | dump:-h | dump:--help)
    case $1 in
      -h | --help)
        usage
        exit 0
        ;;
    esac
    find_file "$1" > /dev/null || refuse "$command has no option '$1'."
    ;;
esac

# A word that has no effect may be an option that was meant for another program, such as a port.
words=
case $command in
  stop | status | reload | unblock) words=0 ;;
  start | restart | console) words=1 ;;
  dump)
    case ${1:-} in
      -format=* | --format=*) words=2 ;;
      *) words=1 ;;
    esac
    ;;
esac
# A wrapper may give each command the configuration. The server is found by its PID file.
case $command in
  stop | status | reload | unblock) if is_conf_word "${1:-}"; then words=1; fi ;;
esac
# Empty words at the end are those of empty variables.
given=0
position=0
for word in "$@"; do
  position=$((position + 1))
  [ -z "$word" ] || given=$position
done
if [ -n "$words" ] && [ "$given" -gt "$words" ]; then
  shift "$words"
  refuse "$command takes no further words: '$*'."
fi

case $command in
  start) start "$@" ;;
  stop) stop ;;
  restart)
    # A refused configuration does not stop the running server.
    find_node
    find_program
    check_seconds SERVICE_START_TIMEOUT "${SERVICE_START_TIMEOUT:-120}"
    choose_conf lenient "${1:-}"
    check_conf
    stop
    start "$@"
    ;;
  # Of service.sh, which stops Cassandra, too, before it starts both again.
  check-restart)
    check_seconds SERVICE_START_TIMEOUT "${SERVICE_START_TIMEOUT:-120}"
    find_node
    find_program
    choose_conf lenient ""
    check_conf
    ;;
  status) status ;;
  console) console "$@" ;;
  reload) reload "$@" ;;
  unblock) unblock ;;
  dump) dump "$@" ;;
  credentials) credentials "$@" ;;
  import | export | backup | restore | stats | verify) tool "$command" "$@" ;;
  usage | help | -h | --help) usage ;;
  '')
    usage >&2
    exit 2
    ;;
  *)
    if find_file "$command" > /dev/null; then
      [ "$given" -eq 0 ] || refuse "There are words after the configuration file '$command', which have no effect: '$*'."
      console "$command"
    else
      refuse "$(unknown "$command")"
    fi
    ;;
esac
