import type { Case } from "./generate/Case.ts"
import type { Outcome } from "./Outcome.ts"
import { type Comparison, type Pair, questionOf } from "./Pair.ts"
import { smaller } from "./syntax/Reductions.ts"
import { shown } from "./syntax/Text.ts"

/** Smaller traversals that are tried at once. */
const AT_ONCE = 16
/** Traversals that are tried for one difference at most. */
const MOST_TRIES = 1_500
/** Milliseconds that a smaller traversal may run: one that takes longer than the whole is not looked for. */
const TIMEOUT = 1_500

/** The beginning of an error message, without what is particular to a traversal. */
const gist = (message: string): string =>
  message
    .replaceAll(/["'`[(].*/gs, "")
    .replaceAll(/\d+/g, "0")
    .slice(0, 40)

const sign = (outcome: Outcome): string => {
  if (outcome.kind === "error") return `error ${outcome.code} ${gist(outcome.message)}`
  return outcome.kind
}

/** What must stay as it is while a difference becomes smaller: otherwise it would become another one. */
const signature = ({ verdict, about, reference, candidate }: Comparison): string =>
  [verdict, about, sign(reference), sign(candidate)].join("|")

/** A difference that was found, as small as it could be made. */
export interface Difference {
  readonly smallest: Case
  readonly comparison: Comparison
  /** How many traversals were tried. */
  readonly tries: number
}

/** Makes the traversal of a difference smaller as long as both servers still differ in the same way. */
export const minimise = async (pair: Pair, found: Case, comparison: Comparison): Promise<Difference> => {
  const wanted = signature(comparison)
  const tried = new Set<string>()
  let smallest: Difference = { smallest: found, comparison, tries: 0 }
  const timeout = [comparison.reference, comparison.candidate].some(({ kind }) => kind === "timeout")
  /** One step: the first smaller traversal that differs in the same way. */
  const step = async (): Promise<Difference | undefined> => {
    const variants = smaller(smallest.smallest.traversal)
    for (let batch = take(variants); batch.length > 0; batch = take(variants)) {
      const results = await Promise.all(
        batch.map(async (traversal) => {
          const variant = { ...found, traversal }
          return { variant, comparison: await pair.run(questionOf(variant), timeout ? TIMEOUT : undefined) }
        })
      )
      const hit = results.find(({ comparison }) => signature(comparison) === wanted)
      if (hit !== undefined) return { smallest: hit.variant, comparison: hit.comparison, tries: tried.size }
      if (tried.size >= MOST_TRIES) return undefined
    }
    return undefined
  }
  const take = (variants: Iterator<Case["traversal"]>): ReadonlyArray<Case["traversal"]> => {
    const batch: Array<Case["traversal"]> = []
    while (batch.length < AT_ONCE) {
      const { value, done } = variants.next()
      if (done === true) break
      const text = shown(value)
      if (tried.has(text)) continue
      tried.add(text)
      batch.push(value)
    }
    return batch
  }
  while (tried.size < MOST_TRIES) {
    const next = await step()
    if (next === undefined) break
    smallest = next
  }
  return { ...smallest, tries: tried.size }
}
