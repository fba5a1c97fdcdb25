# Functions of the launchers and of the entry point of the container image. A launcher sets `caller` to its working directory
# before it calls `absolute`.

# Sets SERVICE_DOTTED_ENVIRONMENT to the variables with dots in their names, such as engineserver.enginePool, which some shells
# drop. The kernel still has the environment that this process was given. One variable a line; line feeds in values are passed as
# record separators. Call it before the first command of this server.
keep_dotted_variables() {
  if [ -z "${SERVICE_DOTTED_ENVIRONMENT:-}" ] && [ -r "/proc/$$/environ" ]; then
    SERVICE_DOTTED_ENVIRONMENT=$(tr '\000\n' '\n\036' < "/proc/$$/environ" |
      LC_ALL=C sed -n -E '/^(engineserver|gremlinserver|service|janusgraph)(%d)?\./p')
    export SERVICE_DOTTED_ENVIRONMENT
  fi
}

# Resolves a relative path against the caller's folder, whatever the working directory of this script is.
absolute() {
  case $1 in
    /*) printf '%s\n' "$1" ;;
    *) printf '%s\n' "$caller/$1" ;;
  esac
}

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

# Prints the control socket of a server. Several servers may share a folder for their PID files, so it is named after the PID file.
# Arguments: PID_DIR and PID_FILE.
socket_of() {
  pid_name=${2##*/}
  printf '%s\n' "$1/${pid_name%.pid}.sock"
}

find_node() {
  if [ -n "${NODE_HOME:-}" ]; then
    node=$NODE_HOME/bin/node
    [ -x "$node" ] || fail "There is no $node; set NODE_HOME to the folder of a Node.js installation."
  elif [ -n "${JAVA_HOME:-}" ] && [ -x "$JAVA_HOME/bin/node" ]; then
    node=$JAVA_HOME/bin/node
  else
    node=$(command -v node) || fail "Node.js is not on the path; install version 20.19 or later, or set NODE_HOME."
  fi
}

# True for a process that has ended, or is a zombie.
is_gone() {
  kill -0 "$1" 2>/dev/null || return 0
  if [ -r "/proc/$1/stat" ]; then
    case $(cat "/proc/$1/stat" 2>/dev/null) in
      '' | *') Z '* | *') X '*) return 0 ;;
    esac
  elif command -v ps >/dev/null 2>&1; then
    case $(ps -p "$1" -o stat= 2>/dev/null) in
      '' | Z*) return 0 ;;
    esac
  fi
  return 1
}

# Fails for a variable that is no whole number of seconds. Arithmetic with it would end the script in the middle of a start.
check_seconds() {
  case $2 in
    0?* | *[!0-9]*) fail "ERROR: $1 is $2; it must be a whole number of seconds, such as 120." ;;
  esac
}

make_folder() {
  mkdir -p -- "$2" 2>/dev/null
  [ -d "$2" ] && [ -w "$2" ] || fail "ERROR: $1 $2 does not exist and could not be created, or is not writable."
}

# SERVICE_BACKEND chooses between the shipped default configurations. With cql the graph is in Cassandra.
check_backend() {
  case ${SERVICE_BACKEND:-lmdb} in
    lmdb) ;;
    # The port of the storage of the default graph.
    cql) [ -z "${CASSANDRA_PORT:-}" ] || export "SERVICE__STORAGE__PORT=$CASSANDRA_PORT" ;;
    *) fail "ERROR: SERVICE_BACKEND is $SERVICE_BACKEND; it can be lmdb (the default) or cql." ;;
  esac
}

# Prints the limits of memory, in bytes, of the control groups of this process and of all their parents, by both versions. In a container
# the path of a group may be that of the host, which is not there: the limits of the container are those of the first folder.
group_limits() {
  while IFS=: read -r _ controllers group; do
    case ,$controllers, in
      ,,) limits="sys/fs/cgroup%/memory.max sys/fs/cgroup/unified%/memory.max" ;;
      *,memory,*) limits=sys/fs/cgroup/memory%/memory.limit_in_bytes ;;
      *) continue ;;
    esac
    group=${group%/}
    while :; do
      for limit in $limits; do
        cat "$system/${limit%%%*}$group${limit#*%}" 2> /dev/null
      done
      [ -n "$group" ] || break
      group=${group%/*}
    done
  done < "$system/proc/self/cgroup"
}

# Prints the megabytes of memory of the machine. Prints nothing where the system has no /proc. SERVICE_SYSTEM_ROOT is for tests.
machine_megabytes() {
  kilobytes=$(sed -n 's/^MemTotal: *\([0-9]*\) kB$/\1/p' "${SERVICE_SYSTEM_ROOT:-}/proc/meminfo" 2> /dev/null)
  [ -z "$kilobytes" ] || printf '%s\n' $((kilobytes / 1024))
}

# Prints the megabytes of memory that this process may use: all of the machine, or fewer by the limits of its control groups. Prints
# nothing where the system has no /proc.
memory_megabytes() {
  system=${SERVICE_SYSTEM_ROOT:-}
  least=$(machine_megabytes)
  [ -n "$least" ] || return 0
  for limit in $(group_limits 2> /dev/null); do
    case $limit in
      *[!0-9]*) continue ;;
    esac
    [ $((limit / 1048576)) -ge "$least" ] || least=$((limit / 1048576))
  done
  printf '%s\n' "$least"
}

# Three quarters of the memory are for the heaps of all processes of the server, their young generations included: a young generation has
# up to three times its semi-space. Sets SERVICE_HEAP_MEGABYTES to this memory, semi_space to a size for a young generation that is at most a
# quarter of it, and heap_megabytes to what is left for the heap of one process. Worker processes divide the memory. A heap limit that
# the user has given in JAVA_OPTIONS or NODE_OPTIONS holds instead. Sets default_megabytes to the limit of a process for which no option
# names one: V8 would give it a smaller share of a container. It is empty where no control group limits the memory.
limit_heap() {
  semi_space=32
  heap_megabytes=
  default_megabytes=
  case "${JAVA_OPTIONS:-} ${NODE_OPTIONS:-}" in
    *-Xmx* | *-XX:MaxHeapSize=* | *max?old?space?size*)
      unset SERVICE_HEAP_MEGABYTES
      return 0
      ;;
  esac
  if [ -z "${SERVICE_HEAP_MEGABYTES:-}" ]; then
    memory=$(memory_megabytes)
    [ -n "$memory" ] && [ "$memory" -gt 1 ] || return 0
    SERVICE_HEAP_MEGABYTES=$((memory * 3 / 4))
    [ "$memory" -ge "$(machine_megabytes)" ] || default_megabytes=4096
  else
    default_megabytes=4096
  fi
  export SERVICE_HEAP_MEGABYTES
  while [ "$semi_space" -gt 1 ] && [ $((semi_space * 12)) -gt "$SERVICE_HEAP_MEGABYTES" ]; do
    semi_space=$((semi_space / 2))
  done
  heap_megabytes=$((SERVICE_HEAP_MEGABYTES - semi_space * 3))
  [ "$heap_megabytes" -gt 0 ] || heap_megabytes=1
  if [ -n "$default_megabytes" ] && [ "$heap_megabytes" -lt "$default_megabytes" ]; then default_megabytes=$heap_megabytes; fi
}
