import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { load } from "../src/storage/shared/Koffi.ts"

/** A server in a separate process, so that its CPU time and memory can be measured. */
export interface ServerProcess {
  readonly port: number
  readonly pid: number
  /** Time from spawning the process to the log line of the open channel, ms. */
  readonly startedAfter: number
  /** CPU time of all threads since the start, those of its workers included, microseconds. Throws when a worker has ended since. */
  readonly cpu: () => number
  /** Resident memory, MB. */
  readonly memory: () => number
  readonly stop: () => Promise<void>
}

const root = process.cwd()

/** Builds the server of a checkout once, so that no benchmark measures the build. */
export const buildServer = (checkout = root): void => {
  const build = join(checkout, "scripts", "build.js")
  const built = spawnSync(process.execPath, [build], { cwd: checkout, stdio: "inherit" })
  if (built.status !== 0) throw new Error(`the build of ${checkout} failed`)
}

/** Writes the configuration of a server with one graph, which is in memory by default. Gives the path of the file. */
export const configure = (yaml = "", properties = "engine.graph=TinkerGraph\n"): string => {
  const folder = join(root, ".cache", "bench", "server")
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "graph.properties"), properties)
  const file = join(folder, "server.yaml")
  writeFileSync(
    file,
    `host: 127.0.0.1\nport: 0\nchannelizer: WsAndHttpChannelizer\ngraphs: {graph: graph.properties}\n${yaml}`
  )
  return file
}

/** What `startServer` starts. */
export interface ServerOptions {
  /** Settings besides those of `configure`, as YAML. */
  readonly yaml?: string
  readonly nodeOptions?: ReadonlyArray<string>
  /** The properties file of the graph. The default is a graph in memory. */
  readonly properties?: string | undefined
  /** The built checkout whose server starts. The default is this one. */
  readonly checkout?: string | undefined
}

/** The size of the young generation that the launcher sets (bin/service-server.sh). */
const LAUNCHER_OPTIONS = ["--max-semi-space-size=32"]

/** Starts the server with one graph on a free port. */
export const startServer = async (options: ServerOptions = {}): Promise<ServerProcess> => {
  const file = configure(options.yaml, options.properties)
  const begin = performance.now()
  const program = join(options.checkout ?? root, "dist", "main.js")
  const child = spawn(process.execPath, [...LAUNCHER_OPTIONS, ...(options.nodeOptions ?? []), program, file], {
    stdio: ["ignore", "pipe", "inherit"]
  })
  const port = await listening(child)
  return measured(child, port, performance.now() - begin)
}

/** Starts the server with the shipped configuration on a free port. Its data is in the folder `home`. */
export const startShippedServer = async (home: string): Promise<ServerProcess> => {
  const begin = performance.now()
  const file = join(root, "conf", "engine-server", "engine-server.yaml")
  const child = spawn(process.execPath, [...LAUNCHER_OPTIONS, join(root, "dist", "main.js"), file, "--port", "0"], {
    cwd: home,
    env: { ...process.env, SERVICE_HOME: home },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const port = await listening(child)
  return measured(child, port, performance.now() - begin)
}

/** A listening process and its measurements. */
export const measured = (child: ChildProcess, port: number, startedAfter: number): ServerProcess => {
  // A benchmark that fails must not leave its server behind.
  const kill = () => void child.kill("SIGKILL")
  process.once("exit", kill)
  child.once("exit", () => process.off("exit", kill))
  const pid = child.pid!
  let last = 0
  const cpu = (): number => {
    const now = [pid, ...childrenOf(pid)].reduce((sum, each) => sum + cpuMicroseconds(each), 0)
    cpuBetween(last, now)
    last = now
    return now
  }
  return {
    port,
    pid,
    startedAfter,
    cpu,
    memory: () => residentMegabytes(pid),
    stop: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve())
        child.kill("SIGTERM")
      })
  }
}

const listening = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    let log = ""
    child.stdout!.on("data", (chunk: Buffer) => {
      log += chunk.toString()
      const found = /Channel started at port (\d+)/.exec(log)
      if (found !== null) resolve(Number(found[1]))
    })
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}:\n${log}`)))
  })

const clockGetTime: (clock: number, time: BigInt64Array) => number = load(null).func(
  "int clock_gettime(int clock, _Out_ int64_t *time)"
)

/** The clock of the CPU time of a process, as clock_getcpuclockid(3) gives it on Linux. */
const clockOf = (pid: number): number => (~pid << 3) | 2

/**
 * CPU time of a process since its start, that of threads that have ended included. utime and stime of /proc/PID/stat have it in ticks of
 * 10 ms only. Throws when the process has ended.
 */
export const cpuMicroseconds = (pid: number): number => {
  const time = new BigInt64Array(2)
  if (clockGetTime(clockOf(pid), time) !== 0) throw new Error(`the process ${pid} has no CPU time: it has ended`)
  return Number(time[0]) * 1e6 + Number(time[1]) / 1000
}

/** CPU time between two measurements. Throws when it is negative: a worker has ended between them. */
export const cpuBetween = (before: number, after: number): number => {
  if (after < before) throw new Error(`the CPU time has gone back from ${before} to ${after} us: a worker has ended`)
  return after - before
}

/** Process ids of the children of a process: the workers of a server. */
export const childrenOf = (pid: number): ReadonlyArray<number> =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .trim()
    .split(" ")
    .filter((id) => id !== "")
    .map(Number)

const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024
