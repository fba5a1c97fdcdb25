import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { CONDITION_MS } from "../Limits.ts"
import { frames, http, message, payload, type Sent, unauthenticated } from "./Cases.ts"
import { Random } from "./Random.ts"
import type { FuzzedServers } from "./Servers.ts"
import { SocketWire, textMessage } from "./Wire.ts"

/** The options of a run. */
export interface FuzzOptions {
  readonly cases: number
  readonly seed: number
  /** Runs only this case, to repeat its failure. */
  readonly only?: number | undefined
  readonly progress?: (done: number) => void
}

/** A case with a wrong answer. */
export interface Failure {
  readonly number: number
  readonly kind: string
  readonly problem: string
  readonly sent: Buffer
}

/** The findings of a run. */
export interface FuzzReport {
  readonly failures: ReadonlyArray<Failure>
  readonly kinds: ReadonlyMap<string, number>
  /** Connections, requests and sessions that remained after all clients disconnected. */
  readonly left: number
  /** Growth of the heap of this process in bytes after the first tenth of the cases, which fills the caches. */
  readonly growth: number
  readonly log: ReadonlyArray<string>
}

/** Number of concurrent cases. */
const WORKERS = 24
/** A run stops after this number of failures. */
const MAX_FAILURES = 20

const collectGarbage = (): number => {
  setFlagsFromString("--expose-gc")
  const gc = runInNewContext("gc") as () => void
  gc()
  gc()
  return process.memoryUsage().heapUsed
}

const kindOf = (random: Random): string => {
  const choice = random.below(100)
  if (choice < 25) return "graphson"
  if (choice < 45) return "graphbinary"
  if (choice < 60) return "script"
  if (choice < 75) return "frames"
  if (choice < 90) return "http"
  if (choice < 94) return "http, authenticated"
  if (choice < 97) return "unauthenticated"
  if (choice < 98) return "unauthenticated, TLS"
  return "http, TLS"
}

class Fuzzer {
  readonly failures: Array<Failure> = []
  readonly kinds = new Map<string, number>()
  readonly #options: FuzzOptions
  readonly #servers: FuzzedServers

  constructor(options: FuzzOptions, servers: FuzzedServers) {
    this.#options = options
    this.#servers = servers
  }

  /** Runs the cases from `from` up to `to`. */
  async run(from: number, to: number): Promise<void> {
    let next = from
    const worker = async (): Promise<void> => {
      const shared: { socket: SocketWire | null } = { socket: null }
      while (next < to && this.failures.length < MAX_FAILURES) {
        const number = next++
        await this.#case(number, shared)
        this.#options.progress?.(number + 1)
      }
      shared.socket?.wire.end()
    }
    await Promise.all(Array.from({ length: Math.min(WORKERS, to - from) }, worker))
  }

  async #case(number: number, shared: { socket: SocketWire | null }): Promise<void> {
    const random = new Random(this.#options.seed, number)
    const kind = kindOf(random)
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1)
    const sent: Sent = { bytes: Buffer.alloc(0) }
    try {
      await this.#play(kind, random, sent, shared)
    } catch (error) {
      this.failures.push({
        number,
        kind,
        problem: String(error instanceof Error ? error.message : error),
        sent: sent.bytes
      })
      shared.socket?.wire.end()
      shared.socket = null
    }
  }

  async #play(kind: string, random: Random, sent: Sent, shared: { socket: SocketWire | null }): Promise<void> {
    const { asking, encrypted, open } = this.#servers
    switch (kind) {
      case "graphson":
      case "graphbinary":
      case "script":
        sent.bytes = message(kind, random)
        if (shared.socket === null || !shared.socket.open) shared.socket = await SocketWire.open(open)
        return payload(shared.socket, sent.bytes, random)
      case "frames":
        return frames(open, random, sent)
      case "http":
        return http(open, random, sent)
      case "http, authenticated":
        return http(asking, random, sent)
      case "http, TLS":
        return http(encrypted, random, sent)
      case "unauthenticated, TLS":
        return unauthenticated(encrypted, random, sent)
      default:
        return unauthenticated(asking, random, sent)
    }
  }

  /** Sends a normal request on a new connection that drops the elements of the cases. */
  async normalRequest(): Promise<void> {
    const socket = await SocketWire.open(this.#servers.open)
    const id = new Random(this.#options.seed, -1).uuid()
    socket.wire.send(textMessage(id, "g.V().drop()"))
    await socket.until(() => socket.answers.some(({ requestId }) => requestId === id), "the answer to a normal request")
    if (socket.answers.at(-1)?.code !== 204) throw new Error("a normal request was not answered with success")
    socket.wire.end()
  }

  /** What the requests have left: 0, or what is still there after {@link CONDITION_MS}. */
  async nothingLeft(): Promise<number> {
    const limit = performance.now() + CONDITION_MS
    let left = await this.#servers.left()
    while (left > 0 && performance.now() < limit) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      left = await this.#servers.left()
    }
    return left
  }
}

/** Runs the cases against servers, checks which resources remain, and ends the servers. */
export const fuzz = async (options: FuzzOptions, servers: FuzzedServers): Promise<FuzzReport> => {
  const fuzzer = new Fuzzer(options, servers)
  try {
    if (options.only !== undefined) {
      await fuzzer.run(options.only, options.only + 1)
      return { failures: fuzzer.failures, kinds: fuzzer.kinds, left: 0, growth: 0, log: servers.log }
    }
    const first = Math.floor(options.cases / 10)
    await fuzzer.run(0, first)
    await fuzzer.normalRequest()
    await fuzzer.nothingLeft()
    const before = collectGarbage()
    await fuzzer.run(first, options.cases)
    await fuzzer.normalRequest()
    const left = await fuzzer.nothingLeft()
    return { failures: fuzzer.failures, kinds: fuzzer.kinds, left, growth: collectGarbage() - before, log: servers.log }
  } finally {
    await servers.end()
  }
}
