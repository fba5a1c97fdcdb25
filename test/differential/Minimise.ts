import type { Case } from "./generate/Case.ts"
import type { Outcome } from "./Outcome.ts"
import { type Comparison, type Pair, questionOf } from "./Pair.ts"
import { smaller } from "./syntax/Reductions.ts"
import { shown } from "./syntax/Text.ts"

/** Number of smaller traversals that run concurrently. */
const CONCURRENT_TRIES = 16
/** Maximum number of traversals for one difference. */
const MAX_TRIES = 1_500
/** Timeout of a smaller traversal. It is short, because slower traversals are not useful. */
const EVALUATION_TIMEOUT_MS = 1_500

/** The beginning of an error message, without the parts that depend on the traversal. */
const gist = (message: string): string =>
  message
    .replaceAll(/["'`[(].*/gs, "")
    .replaceAll(/\d+/g, "0")
    .slice(0, 40)

const sign = (outcome: Outcome): string => {
  if (outcome.kind === "error") return `error ${outcome.code} ${gist(outcome.message)}`
  return outcome.kind
}

/** The properties of a difference that must not change while its traversal becomes smaller. */
const signature = ({ verdict, about, reference, candidate }: Comparison): string =>
  [verdict, about, sign(reference), sign(candidate)].join("|")

/** A difference with the smallest traversal that was found. */
export interface Difference {
  readonly smallest: Case
  readonly comparison: Comparison
  /** Number of tried traversals. */
  readonly tries: number
}

/** Reduces the traversal of a difference while both servers differ in the same way. */
export const minimise = async (pair: Pair, found: Case, comparison: Comparison): Promise<Difference> => {
  const wanted = signature(comparison)
  const tried = new Set<string>()
  let smallest: Difference = { smallest: found, comparison, tries: 0 }
  const timeout = [comparison.reference, comparison.candidate].some(({ kind }) => kind === "timeout")
  /** Returns the first smaller traversal that differs in the same way. */
  const step = async (): Promise<Difference | undefined> => {
    const variants = smaller(smallest.smallest.traversal)
    for (let batch = take(variants); batch.length > 0; batch = take(variants)) {
      const results = await Promise.all(
        batch.map(async (traversal) => {
          const variant = { ...found, traversal }
          return {
            variant,
            comparison: await pair.run(questionOf(variant), timeout ? EVALUATION_TIMEOUT_MS : undefined)
          }
        })
      )
      const hit = results.find(({ comparison }) => signature(comparison) === wanted)
      if (hit !== undefined) return { smallest: hit.variant, comparison: hit.comparison, tries: tried.size }
      if (tried.size >= MAX_TRIES) return undefined
    }
    return undefined
  }
  const take = (variants: Iterator<Case["traversal"]>): ReadonlyArray<Case["traversal"]> => {
    const batch: Array<Case["traversal"]> = []
    while (batch.length < CONCURRENT_TRIES) {
      const { value, done } = variants.next()
      if (done === true) break
      const text = shown(value)
      if (tried.has(text)) continue
      tried.add(text)
      batch.push(value)
    }
    return batch
  }
  while (tried.size < MAX_TRIES) {
    const next = await step()
    if (next === undefined) break
    smallest = next
  }
  return { ...smallest, tries: tried.size }
}
