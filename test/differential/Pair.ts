import { compare, type Verdict } from "./Agreement.ts"
import { type Client, EVALUATION_TIMEOUT } from "./Client.ts"
import type { Case } from "./generate/Case.ts"
import { CONTENTS, resetting } from "./graphs/Graphs.ts"
import type { Model } from "./graphs/Model.ts"
import type { Outcome } from "./Outcome.ts"
import { scriptOf } from "./syntax/Text.ts"
import type { Traversal } from "./syntax/Traversal.ts"

/** What both servers made of a case. */
export interface Comparison {
  readonly verdict: Verdict
  /** What was compared: the answer, or what is in the graph after it. */
  readonly about: "answer" | "contents"
  readonly reference: Outcome
  readonly candidate: Outcome
}

/** What both servers run, on the graph of a model. */
export interface Question {
  readonly model: Model
  readonly program: string | Traversal
}

/** A case as both servers are asked it. */
export const questionOf = ({ model, traversal, language }: Case): Question => ({
  model,
  program: language === "script" ? scriptOf(traversal) : traversal
})

/** Milliseconds in which a graph is reset, or read: a case may have added very many elements, and a new server is slow. */
const RESET_TIMEOUT = 60_000

/** Both servers, which are asked the same. */
export class Pair {
  readonly #reference: Client
  readonly #candidate: Client

  constructor(reference: Client, candidate: Client) {
    this.#reference = reference
    this.#candidate = candidate
  }

  /**
   * Runs a case on both servers. Many may be under way at once; each server runs them in their order, so that a case which
   * changes a graph finds it as its model says.
   */
  async run(one: Question, evaluationTimeout = EVALUATION_TIMEOUT): Promise<Comparison> {
    const sides = [this.#reference, this.#candidate].map((client) => outcomes(client, one, evaluationTimeout))
    const [reference, candidate] = await Promise.all(sides)
    const { writable } = one.model
    let order: Comparison | undefined
    for (const [index, left] of reference!.entries()) {
      const right = candidate![index]!
      const verdict = compare(left, right, writable)
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

/** The answer of a server, and the contents of the graph after it where it may have changed. */
const outcomes = async (
  client: Client,
  { model, program }: Question,
  timeout: number
): Promise<ReadonlyArray<Outcome>> => {
  const { source } = model
  const resets = resetting(model).map((reset) => client.run({ source, program: reset }, RESET_TIMEOUT))
  const answers = [client.run({ source, program }, timeout)]
  if (model.writable)
    answers.push(...CONTENTS.map((contents) => client.run({ source, program: contents }, RESET_TIMEOUT)))
  for (const reset of await Promise.all(resets)) {
    // A server that is gone is told by its answers.
    if (reset.kind === "error") throw new Error(`${source} cannot be filled: ${reset.message}`)
    if (reset.kind === "timeout") throw new Error(`${source} cannot be filled in ${RESET_TIMEOUT} ms`)
  }
  return Promise.all(answers)
}
