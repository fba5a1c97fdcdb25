import { compare, type Verdict } from "./Agreement.ts"
import { type Client, EVALUATION_TIMEOUT } from "./Client.ts"
import type { Case } from "./generate/Case.ts"
import { CONTENTS, resetting } from "./graphs/Graphs.ts"
import type { Model } from "./graphs/Model.ts"
import type { Outcome } from "./Outcome.ts"
import { type Ordered, orderedBy } from "./syntax/Ordered.ts"
import { scriptOf } from "./syntax/Text.ts"
import type { Traversal } from "./syntax/Traversal.ts"

/** The outcomes of a case on both servers. */
export interface Comparison {
  readonly verdict: Verdict
  /** The compared part: the answer, or the content of the graph after it. */
  readonly about: "answer" | "contents"
  readonly reference: Outcome
  readonly candidate: Outcome
}

/** A request for both servers, on the graph of a model. */
export interface Question {
  readonly model: Model
  readonly program: string | Traversal
  /** What the program orders. Default: nothing. */
  readonly ordered?: Ordered
}

/** The request of a case. */
export const questionOf = ({ model, traversal, language }: Case): Question => ({
  model,
  program: language === "script" ? scriptOf(traversal) : traversal,
  ordered: orderedBy(traversal)
})

/** Timeout to reset or read a graph. A case may add many elements, and a server is slow after its start. */
const RESET_TIMEOUT_MS = 60_000

/** The two servers. Both receive the same requests. */
export class Pair {
  readonly #reference: Client
  readonly #candidate: Client

  constructor(reference: Client, candidate: Client) {
    this.#reference = reference
    this.#candidate = candidate
  }

  /**
   * Runs a case on both servers. Cases may be pipelined. Each server runs them in order, so that a case that changes a graph
   * finds the initial state of its model.
   */
  async run(one: Question, evaluationTimeout = EVALUATION_TIMEOUT): Promise<Comparison> {
    const sides = [this.#reference, this.#candidate].map((client) => outcomes(client, one, evaluationTimeout))
    const [reference, candidate] = await Promise.all(sides)
    const { writable } = one.model
    let order: Comparison | undefined
    for (const [index, left] of reference!.entries()) {
      const right = candidate![index]!
      const ordered = index === 0 ? one.ordered : undefined
      const verdict = compare(left, right, { writes: writable, ...(ordered && { ordered }) })
      const comparison = {
        verdict,
        about: index === 0 ? "answer" : "contents",
        reference: left,
        candidate: right
      } as const
      if (verdict === "different" || verdict === "unknown") return comparison
      if (verdict === "order" && index === 0) order = comparison
    }
    return order ?? { verdict: "same", about: "answer", reference: reference![0]!, candidate: candidate![0]! }
  }
}

/** The answer of a server. If the graph may have changed, also its contents after the request. */
const outcomes = async (
  client: Client,
  { model, program }: Question,
  timeout: number
): Promise<ReadonlyArray<Outcome>> => {
  const { source } = model
  const resets = resetting(model).map((reset) => client.run({ source, program: reset }, RESET_TIMEOUT_MS))
  const answers = [client.run({ source, program }, timeout)]
  if (model.writable)
    answers.push(...CONTENTS.map((contents) => client.run({ source, program: contents }, RESET_TIMEOUT_MS)))
  for (const reset of await Promise.all(resets)) {
    // The outcomes show that a server has ended.
    if (reset.kind === "error") throw new Error(`${source} cannot be filled: ${reset.message}`)
    if (reset.kind === "timeout") throw new Error(`${source} cannot be filled in ${RESET_TIMEOUT_MS} ms`)
  }
  return Promise.all(answers)
}
