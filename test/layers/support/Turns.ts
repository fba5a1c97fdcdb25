import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { bundled, type ServerProcess, startProcess } from "./ServerProcess.ts"
import { eventually } from "./TestServers.ts"

/** Time in which a machine that is quiet fills {@link FILLED} bytes of fresh memory, ms. */
const FILLING = 15
const FILLED = 67_108_864

/** How many times slower than that this machine is now, 1 to 5: memory is what differs most between virtual machines. */
const slowness = (): number => {
  let best = Number.POSITIVE_INFINITY
  for (let time = 0; time < 3; time++) {
    const begin = performance.now()
    Buffer.allocUnsafeSlow(FILLED).fill(1)
    best = Math.min(best, performance.now() - begin)
  }
  return Math.min(5, Math.max(1, best / FILLING))
}

/**
 * The longest turn that is let through, ms: the server's own limit of 20, on a slow machine as many times that. STALL_LIMIT
 * raises it where the machine that tests is shared: what is tested took from 60 ms to minutes before it was done in slices.
 */
export const LONGEST = Number(process.env.STALL_LIMIT ?? 20) * slowness()

/** A time that is promised for a quiet machine of usual speed, ms, for this one. */
export const patient = (time: number): number => (time * LONGEST) / 20

/** A list of very many numbers, each once. */
export const MEMBERS = 500_000
export const many: ReadonlyArray<number> = Array.from({ length: MEMBERS }, (_, i) => (i * 7919) % MEMBERS)

/** A server in a process of its own, which tells the longest turn of its event loop. */
export class MeasuredServer {
  #server: ServerProcess | undefined

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

  /** The longest turn since the last time this was asked, ms. */
  async longestTurn(): Promise<number> {
    const { child, log } = this.process
    const seen = log.length
    child.kill("SIGUSR2")
    const line = (): string | undefined => log.slice(seen).find((text) => text.startsWith("longest turn"))
    await eventually(() => line() !== undefined)
    return Number(/[\d.]+/.exec(line()!)![0])
  }

  /** The longest turn while the request is served: of three times, if need be, as the machine may be at fault. */
  async turnOf(request: () => Promise<unknown>, limit = LONGEST): Promise<number> {
    let shortest = Number.POSITIVE_INFINITY
    for (let time = 0; time < 3 && shortest >= limit; time++) {
      await this.longestTurn()
      await request()
      shortest = Math.min(shortest, await this.longestTurn())
    }
    return shortest
  }

  stop(): void {
    this.#server?.child.kill("SIGKILL")
  }
}

/** One for all tests of a file, or of a suite; `options` are Node's own, `properties` those of the graph, `settings` lines of YAML. */
export const measuredServer = (
  options = "",
  properties = ["storage.backend=inmemory"],
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
