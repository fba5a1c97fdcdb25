import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { bundled, type ServerProcess, startProcess } from "./ServerProcess.ts"
import { eventually } from "./TestServers.ts"

/** Time in which an idle machine fills {@link FILLED_BYTES} of new memory. */
const FILL_TIME_MS = 15
const FILLED_BYTES = 67_108_864

/** Factor by which this machine is slower, 1 to 5. Virtual machines differ most in memory speed. */
const slowness = (): number => {
  let best = Number.POSITIVE_INFINITY
  for (let time = 0; time < 3; time++) {
    const begin = performance.now()
    Buffer.allocUnsafeSlow(FILLED_BYTES).fill(1)
    best = Math.min(best, performance.now() - begin)
  }
  return Math.min(5, Math.max(1, best / FILL_TIME_MS))
}

/**
 * The longest accepted turn, ms: the server's limit of 20, multiplied on slow machines. STALL_LIMIT raises it for shared
 * machines. Before the tested work was sliced, it took from 60 ms to minutes.
 */
export const LONGEST_TURN_MS = Number(process.env.STALL_LIMIT ?? 20) * slowness()

/** Scales a time for an idle machine of usual speed, ms, to this machine. */
export const patient = (time: number): number => (time * LONGEST_TURN_MS) / 20

/** A list of distinct numbers. */
export const MEMBERS = 500_000
export const distinctNumbers: ReadonlyArray<number> = Array.from({ length: MEMBERS }, (_, i) => (i * 7919) % MEMBERS)

/** A server in a separate process that reports the longest turn of its event loop. */
export class MeasuredServer {
  #server: ServerProcess | undefined
  #requests = 0

  async start(
    folder: string,
    options: string,
    properties: ReadonlyArray<string>,
    settings: ReadonlyArray<string>
  ): Promise<void> {
    const bundle = await bundled({ main: "src/main.ts", probe: "test/layers/support/StallProbe.ts" })
    this.#server = await startProcess(bundle, folder, {
      properties,
      settings,
      before: ["env", `NODE_OPTIONS=${options} --import=${join(bundle, "probe.mjs")}`]
    })
  }

  get process(): ServerProcess {
    if (this.#server === undefined) throw new Error("the server has not started")
    return this.#server
  }

  get authority(): string {
    return `127.0.0.1:${this.process.port}`
  }

  /** The longest turn since the last call, ms. */
  async longestTurn(): Promise<number> {
    const { child, log } = this.process
    const seen = log.length
    child.kill("SIGUSR2")
    const line = (): string | undefined => log.slice(seen).find((text) => text.startsWith("longest turn"))
    await eventually(() => line() !== undefined)
    return Number(/[\d.]+/.exec(line()!)![0])
  }

  /**
   * The longest turn while the request is served. If it is too long, the machine may have caused it: then the request is served twice more,
   * and the result is the median of the three turns.
   *
   * @param request gets a number that no other call on this server gets. A request whose work a cache would save puts it into its text.
   */
  async turnOf(request: (serial: number) => Promise<unknown>, limit = LONGEST_TURN_MS): Promise<number> {
    const turns: Array<number> = []
    do {
      await this.longestTurn()
      await request(this.#requests++)
      turns.push(await this.longestTurn())
    } while (turns.length < 3 && turns[0]! >= limit)
    return turns.toSorted((a, b) => a - b)[turns.length >> 1]!
  }

  stop(): void {
    this.#server?.child.kill("SIGKILL")
  }
}

/**
 * Starts a server for all tests of a file or suite. `options` are those of Node.js, `properties` those of the graph,
 * `settings` lines of YAML.
 */
export const measuredServer = (
  options = "",
  properties = ["storage.backend=inmemory", "storage.memory.schema=false"],
  settings: ReadonlyArray<string> = []
): MeasuredServer => {
  const measured = new MeasuredServer()
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "engine-server-turns-"))
    await measured.start(folder, options, properties, settings)
  })
  afterAll(async () => {
    measured.stop()
    await rm(folder, { recursive: true, force: true })
  })
  return measured
}
