import { Client } from "./Client.ts"
import { type Case, caseOf } from "./generate/Case.ts"
import { fill } from "./graphs/Graphs.ts"
import { type Known, type KnownDifference, matches, modelOf } from "./Known.ts"
import { type Difference, minimise } from "./Minimise.ts"
import { type Comparison, Pair, questionOf } from "./Pair.ts"
import type { RevivedServer, Servers } from "./Servers.ts"
import { shown } from "./syntax/Text.ts"

/** The options of a run. */
export interface PlayOptions {
  readonly seed: number
  /** The number of the first case, and the number after the last one. */
  readonly from: number
  readonly to: number
  /** The run ends after this number of unknown differences. */
  readonly most: number
  readonly progress: (done: number) => void
  /** Called for every unknown difference. */
  readonly found: (number: number, difference: Difference) => void
  /** Called for every difference that a rule of known.json explains. */
  readonly explained: (number: number, difference: Difference, rule: KnownDifference) => void
  /** Called when a server has ended unexpectedly, with the end of its log. The server is restarted. */
  readonly ended: (which: "reference" | "candidate", log: string) => void
  /** Called if only the order differs. */
  readonly reordered: (number: number, one: Case, comparison: Comparison) => void
}

/** The result of a run. */
export interface PlayReport {
  /** The number of cases by result. */
  readonly counts: Readonly<Record<"same" | "order" | "known" | "different" | "unknown", number>>
}

/** One of the two servers and the connection to it. */
interface Side {
  readonly which: "reference" | "candidate"
  readonly server: RevivedServer
  readonly client: Client
}

/** Number of concurrent cases. */
const CONCURRENT_CASES = 16

/** Timeout for the example of a known difference. Examples run first, and a server is slow after its start. */
const EXAMPLE_TIMEOUT_MS = 60_000

/** Runs cases on both servers. */
export class Play {
  readonly #known: Known
  readonly #pair: Pair
  readonly #sides: ReadonlyArray<Side>

  private constructor(known: Known, reference: Side, candidate: Side) {
    this.#known = known
    this.#sides = [reference, candidate]
    this.#pair = new Pair(reference.client, candidate.client)
  }

  /** Connects to both servers and fills their graphs. */
  static async open(servers: Servers, known: Known): Promise<Play> {
    const [reference, candidate] = (["reference", "candidate"] as const).map(
      (which): Side => ({ which, server: servers[which], client: new Client(servers[which].url) })
    )
    await Promise.all([fill(reference!.client), fill(candidate!.client)])
    return new Play(known, reference!, candidate!)
  }

  /** The known differences whose example no longer matches their rule, with the new outcomes. */
  async stale(): Promise<ReadonlyArray<{ readonly gremlin: string; readonly comparison: Comparison }>> {
    const found = await Promise.all(
      this.#known.rules.map(async (rule) => {
        const { source, gremlin, bytecode } = rule.example
        const comparison = await this.#pair.run(
          { model: modelOf(source), program: bytecode ?? gremlin },
          EXAMPLE_TIMEOUT_MS
        )
        const differs =
          (comparison.verdict === "different" && matches(rule, gremlin, comparison.reference, comparison.candidate)) ||
          (comparison.verdict === "same" && rule.varies === true)
        return differs ? [] : [{ gremlin, comparison }]
      })
    )
    return found.flat()
  }

  /** Runs the cases of a range. A case that times out on this server is repeated alone, because others may have delayed it. */
  async play({ seed, from, to, most, progress, found, explained, ended, reordered }: PlayOptions): Promise<PlayReport> {
    const counts = { same: 0, order: 0, known: 0, different: 0, unknown: 0 }
    for (let first = from; first < to && counts.different < most; first += CONCURRENT_CASES) {
      const numbers = Array.from({ length: Math.min(CONCURRENT_CASES, to - first) }, (_, index) => first + index)
      const played = await Promise.all(
        numbers.map(async (number) => {
          const one = caseOf(seed, number)
          return { number, one, comparison: await this.#pair.run(questionOf(one)) }
        })
      )
      for (const { number, one, comparison: together } of played) {
        const comparison = together.candidate.kind === "timeout" ? await this.#pair.run(questionOf(one)) : together
        const { verdict } = comparison
        if (verdict === "order") reordered(number, one, comparison)
        if (verdict !== "different") {
          counts[verdict]++
          continue
        }
        const difference = await this.#smallest(one, comparison)
        const { smallest, comparison: least } = difference
        const rule = this.#known.explains(shown(smallest.traversal), least.reference, least.candidate)
        if (rule === undefined) {
          counts.different++
          found(number, difference)
        } else {
          counts.known++
          explained(number, difference, rule)
        }
      }
      await this.#revive(ended)
      progress(first + numbers.length)
    }
    return { counts }
  }

  async #revive(ended: PlayOptions["ended"]): Promise<void> {
    for (const { which, server, client } of this.#sides) {
      const log = await server.revive()
      if (log === undefined) continue
      ended(which, log)
      client.moveTo(server.url)
      await fill(client)
    }
  }

  /** Smaller traversals are not sent to a server that has ended. */
  #smallest(one: Case, comparison: Comparison): Promise<Difference> {
    if (comparison.candidate.kind === "lost") return Promise.resolve({ smallest: one, comparison, tries: 0 })
    return minimise(this.#pair, one, comparison)
  }

  close(): void {
    for (const { client } of this.#sides) client.close()
  }
}
