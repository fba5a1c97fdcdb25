import { readFileSync } from "node:fs"
import { show } from "../conformance/Value.ts"
import type { Case } from "./generate/Case.ts"
import { readable, writable } from "./graphs/Graphs.ts"
import type { Model } from "./graphs/Model.ts"
import { mayBeIntended, type Outcome } from "./Outcome.ts"
import { shown } from "./syntax/Text.ts"
import type { Traversal } from "./syntax/Traversal.ts"

/** An intended difference of known.json. */
export interface KnownDifference {
  /** The section of the document that lists the difference: one of `topics` in Documentation.ts. */
  readonly topic: string
  /** The reason for the difference. */
  readonly reason: string
  /** Regular expressions over the smallest traversal and over the texts of both outcomes; an absent one matches all. */
  readonly traversal: string
  readonly reference?: string
  readonly candidate?: string
  /** Whether both servers must have the same number of results. */
  readonly sameCount?: boolean
  /** Whether the results may differ only in how often each occurs, unless both servers have a single one, such as their count. */
  readonly sameMembers?: boolean
  /** Whether the servers may agree: the end of a time slice also ends a batch, so the outcome here depends on the clock. */
  readonly varies?: boolean
  /** A traversal with this difference. Each run checks it. */
  readonly example: {
    readonly source: string
    readonly gremlin: string
    /** The traversal as bytecode. It is sent instead of the script if only bytecode differs. */
    readonly bytecode?: Traversal
  }
}

/** The text of an outcome, for the output and for rules. */
export const outcomeText = (outcome: Outcome): string => {
  switch (outcome.kind) {
    case "values":
      return `${outcome.values.length} results: ${outcome.values.map(show).join("; ")}`
    case "error":
      return `error ${outcome.code}: ${outcome.message}`
    case "timeout":
      return "timeout"
    case "lost":
      return `no answer: ${outcome.reason}`
  }
}

/** The known differences, with the number of matches of each. */
export class Known {
  readonly rules: ReadonlyArray<KnownDifference>
  readonly #met: Array<number>

  constructor(rules: ReadonlyArray<KnownDifference>) {
    this.rules = rules
    this.#met = rules.map(() => 0)
  }

  static read(file: string): Known {
    return new Known(JSON.parse(readFileSync(file, "utf8")) as ReadonlyArray<KnownDifference>)
  }

  /** The number of differences for which each rule was the first match. */
  get met(): ReadonlyArray<number> {
    return this.#met
  }

  /** Returns the first rule that matches a difference, and counts the match. Undefined if no rule matches. */
  explains(traversal: string, reference: Outcome, candidate: Outcome): KnownDifference | undefined {
    const found = this.rules.findIndex((rule) => matches(rule, traversal, reference, candidate))
    if (found < 0) return undefined
    this.#met[found]!++
    return this.rules[found]
  }
}

const agrees = (pattern: string | undefined, text: string): boolean =>
  pattern === undefined || new RegExp(pattern, "s").test(text)

/**
 * True if a rule matches a difference. No rule explains that this server did not answer in time, that its answer cannot be read, or that it
 * failed because of a defect.
 */
export const matches = (rule: KnownDifference, traversal: string, reference: Outcome, candidate: Outcome): boolean =>
  mayBeIntended(candidate) &&
  agrees(rule.traversal, traversal) &&
  agrees(rule.reference, outcomeText(reference)) &&
  agrees(rule.candidate, outcomeText(candidate)) &&
  (rule.sameCount !== true || sameCount(reference, candidate)) &&
  (rule.sameMembers !== true || sameMembers(reference, candidate))

const sameCount = (reference: Outcome, candidate: Outcome): boolean =>
  reference.kind === "values" && candidate.kind === "values" && reference.values.length === candidate.values.length

const sameMembers = (reference: Outcome, candidate: Outcome): boolean => {
  if (reference.kind !== "values" || candidate.kind !== "values") return false
  const [there, here] = [reference.values.map(show), candidate.values.map(show)]
  if (there.length === 1 && here.length === 1) return true
  return there.every((value) => here.includes(value)) && here.every((value) => there.includes(value))
}

/** The model of a traversal source. For a graph that cases change, its non-empty initial state. */
export const modelOf = (source: string): Model => {
  const found = [...readable, ...writable].find((model) => model.source === source)
  if (found === undefined) throw new Error(`known.json: there is no traversal source ${source}`)
  return found
}

/** The text of a case for reports. */
export const caseText = ({ model, traversal, language }: Case): string =>
  `${model.source}${model.writable && model.build.length === 0 ? " (empty)" : ""}, ${language}: ${shown(traversal)}`
