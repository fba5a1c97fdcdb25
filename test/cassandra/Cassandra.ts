import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { connect, createServer, type Socket } from "node:net"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { connect as connectTls } from "node:tls"
import { promisify } from "node:util"
import { access, java } from "./Java.ts"

/** A running node of Cassandra. */
export interface Node {
  readonly host: string
  readonly port: number
  readonly pid: number
  /** Sends a signal to the process: SIGKILL for a crash, SIGSTOP and SIGCONT for a pause. */
  readonly signal: (signal: NodeJS.Signals) => void
  /** Ends the process and waits for its exit. */
  readonly stop: () => Promise<void>
}

/** Options of a node. A node that is started again in the same folder has the data that a crash left. */
export interface NodeOptions {
  readonly folder: string
  readonly port: number
  readonly storagePort: number
  /** Heap of the JVM. Default 384m. */
  readonly heap?: string
  /** When a write is acknowledged: after its sync (`batch`, the default) or before it (`periodic`, Cassandra's default). */
  readonly commitLog?: "batch" | "periodic"
  /** Clients need a password and TLS. The file has the certificate and the key of the node; the password is that of the file. */
  readonly secured?: { readonly keyStore: string; readonly password: string }
  /** The node is one of several. Their storage ports and CQL ports are equal, and their addresses differ. */
  readonly ring?: {
    /** A loopback address, such as 127.0.0.2. The node with 127.0.0.1 is the first one. */
    readonly address: string
    readonly datacenter: string
    /** The node joins a ring that has data: it gets its part of the data before it answers. */
    readonly joins: boolean
    /** The port of nodetool. */
    readonly toolPort: number
  }
}

const home = import.meta.dirname
/** Time in which a node must answer, and in which it must stop. Small machines are slow. */
const START_TIMEOUT_MS = 240_000
const STOP_TIMEOUT_MS = 30_000

/**
 * Downloads the jars of Cassandra with Maven, once, about 66 MB. Returns their folder. `pom` names the version; CASSANDRA_VERSION
 * names another one.
 */
export const obtainCassandra = (
  cache: string,
  pom = join(home, "..", "..", "conf", "cassandra", "pom.xml")
): string => {
  const project = readFileSync(pom, "utf8")
  const pinned = /cassandra-all<\/artifactId>\s*<version>([^<]+)</.exec(project)![1]!
  const version = process.env.CASSANDRA_VERSION ?? pinned
  const folder = join(cache, `lib-${version}`)
  if (existsSync(folder)) return folder
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  const own = join(unfinished, "pom.xml")
  writeFileSync(own, project.replace(`<version>${pinned}<`, `<version>${version}<`))
  try {
    const goal = ["-B", "-q", "-f", own, "dependency:copy-dependencies", `-DoutputDirectory=${unfinished}`]
    execFileSync("mvn", goal, { cwd: cache, stdio: ["ignore", "pipe", "pipe"] })
  } catch (cause) {
    const { stdout } = cause as { readonly stdout?: Buffer }
    throw new Error(`Maven could not download Cassandra (mvn and the network are needed): ${stdout ?? cause}`)
  }
  renameSync(unfinished, folder)
  return folder
}

/** A free port of the loopback address. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().on("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

/** The address of a node. */
const addressOf = ({ ring }: NodeOptions): string => ring?.address ?? "127.0.0.1"

const configuration = (options: NodeOptions): string => {
  const { commitLog = "batch", folder, port, ring, secured, storagePort } = options
  return `
cluster_name: tests
num_tokens: 8
partitioner: org.apache.cassandra.dht.Murmur3Partitioner
data_file_directories: ["${folder}/data"]
commitlog_directory: ${folder}/commitlog
hints_directory: ${folder}/hints
saved_caches_directory: ${folder}/saved_caches
cdc_raw_directory: ${folder}/cdc
commitlog_sync: ${commitLog}${commitLog === "periodic" ? "\ncommitlog_sync_period: 10s" : ""}
commitlog_segment_size: 8MiB
commitlog_total_space: 128MiB
listen_address: ${addressOf(options)}
rpc_address: ${addressOf(options)}
storage_port: ${storagePort}
native_transport_port: ${port}
start_native_transport: true
endpoint_snitch: ${ring === undefined ? "SimpleSnitch" : "GossipingPropertyFileSnitch"}
seed_provider:
  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
    parameters:
      - seeds: "127.0.0.1"
auto_bootstrap: ${ring?.joins ?? false}
authenticator: ${secured === undefined ? "AllowAllAuthenticator" : "PasswordAuthenticator"}
authorizer: ${secured === undefined ? "AllowAllAuthorizer" : "CassandraAuthorizer"}
client_encryption_options: ${JSON.stringify(
    secured === undefined
      ? { enabled: false }
      : { enabled: true, optional: false, keystore: secured.keyStore, keystore_password: secured.password }
  )}
memtable_allocation_type: heap_buffers
memtable_heap_space: 96MiB
key_cache_size: 8MiB
counter_cache_size: 0MiB
file_cache_size: 32MiB
concurrent_compactors: 1
auto_snapshot: false
hinted_handoff_enabled: ${ring !== undefined}
`
}

const logging = (folder: string): string => `<configuration>
  <appender name="FILE" class="ch.qos.logback.core.FileAppender">
    <file>${folder}/system.log</file>
    <encoder><pattern>%-5level [%thread] %date{ISO8601} %F:%L - %msg%n</pattern></encoder>
  </appender>
  <root level="INFO"><appender-ref ref="FILE"/></root>
</configuration>
`

const OPTIONS_FRAME = Buffer.from([4, 0, 0, 0, 5, 0, 0, 0, 0])
const SUPPORTED = 6

/** Whether a node answers a frame of the protocol. */
const answers = (options: NodeOptions): Promise<boolean> =>
  new Promise((resolve) => {
    const { port, secured } = options
    const host = addressOf(options)
    const ask = (): void => void socket.write(OPTIONS_FRAME)
    const socket: Socket =
      secured === undefined ? connect(port, host, ask) : connectTls({ port, host, rejectUnauthorized: false }, ask)
    const end = (answer: boolean): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(2000, () => end(false))
    socket.on("data", (bytes) => end(bytes[4] === SUPPORTED))
    socket.on("error", () => end(false))
  })

const gone = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

/** Starts a node, and waits until it answers. */
export const startNode = async (lib: string, options: NodeOptions): Promise<Node> => {
  const { folder, heap = "384m", port, ring } = options
  for (const name of ["data", "commitlog", "hints", "saved_caches", "cdc", "tmp"]) {
    mkdirSync(join(folder, name), { recursive: true })
  }
  writeFileSync(join(folder, "cassandra.yaml"), configuration(options))
  writeFileSync(join(folder, "logback.xml"), logging(folder))
  if (ring !== undefined)
    writeFileSync(join(folder, "cassandra-rackdc.properties"), `dc=${ring.datacenter}\nrack=rack1\n`)
  const agent = readdirSync(lib).find((name) => /^jamm-.*\.jar$/.test(name))!
  const child = spawn(
    java(),
    [
      `-javaagent:${join(lib, agent)}`,
      ...access,
      "-Djava.security.manager=allow",
      `-Xms${heap}`,
      `-Xmx${heap}`,
      "-XX:+UseSerialGC",
      "-XX:MaxDirectMemorySize=128m",
      "-XX:-UsePerfData",
      "-Djava.net.preferIPv4Stack=true",
      "-Djdk.attach.allowAttachSelf=true",
      `-Djava.io.tmpdir=${folder}/tmp`,
      "-Dio.netty.tryReflectionSetAccessible=true",
      "-Dio.netty.eventLoopThreads=2",
      `-Dcassandra.config=file://${folder}/cassandra.yaml`,
      `-Dlogback.configurationFile=${folder}/logback.xml`,
      `-Dcassandra.storagedir=${folder}`,
      `-Dcassandra.logdir=${folder}`,
      "-Dcassandra-foreground=yes",
      "-Dcassandra.skip_wait_for_gossip_to_settle=0",
      // A node that joins waits until the others know it, so that they send it what is written meanwhile.
      `-Dcassandra.ring_delay_ms=${ring?.joins === true ? 10_000 : 1000}`,
      "-Dcassandra.superuser_setup_delay_ms=0",
      ...(ring === undefined ? [] : [`-Dcassandra.jmx.local.port=${ring.toolPort}`]),
      "-cp",
      `${folder}:${join(lib, "*")}`,
      "org.apache.cassandra.service.CassandraDaemon"
    ],
    { cwd: folder, stdio: "ignore" }
  )
  const end = (): void => {
    child.kill("SIGKILL")
  }
  process.once("exit", end)
  const stop = async (): Promise<void> => {
    process.off("exit", end)
    if (gone(child)) return
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
    child.kill("SIGTERM")
    const timer = setTimeout(end, STOP_TIMEOUT_MS)
    await ended
    clearTimeout(timer)
  }
  const until = performance.now() + START_TIMEOUT_MS
  while (!(await answers(options))) {
    const problem = gone(child)
      ? "ended at its start"
      : performance.now() > until
        ? "did not answer in time"
        : undefined
    if (problem !== undefined) {
      await stop()
      throw new Error(`Cassandra ${problem}; its log: ${join(folder, "system.log")}`)
    }
    await pause(200)
  }
  return { host: addressOf(options), port, pid: child.pid!, signal: (signal) => child.kill(signal), stop }
}

/** Runs a command of nodetool on a node of a ring. Fails with its output. */
export const nodetool = async (lib: string, { folder, ring }: NodeOptions, ...words: ReadonlyArray<string>) => {
  const flags = [
    "-Xmx128m",
    "-Djava.security.manager=allow",
    "-Djava.net.preferIPv4Stack=true",
    ...access,
    `-Dcassandra.config=file://${folder}/cassandra.yaml`,
    `-Dlogback.configurationFile=${folder}/logback.xml`,
    `-Duser.home=${folder}`
  ]
  const tool = [
    "-cp",
    join(lib, "*"),
    "org.apache.cassandra.tools.NodeTool",
    "-h",
    "127.0.0.1",
    "-p",
    String(ring!.toolPort)
  ]
  const { stdout } = await promisify(execFile)(java(), [...flags, ...tool, ...words])
  return stdout
}
