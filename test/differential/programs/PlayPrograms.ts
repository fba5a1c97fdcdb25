import { compare } from "../Agreement.ts"
import { Client, EVALUATION_TIMEOUT } from "../Client.ts"
import type { Outcome } from "../Outcome.ts"
import type { Servers } from "../Servers.ts"
import { type Program, programOf, programText, smallerPrograms } from "./Program.ts"
import { reasonOf } from "./ProgramRules.ts"
import { type RecordedProgram, recorded } from "./Recorded.ts"

/** Number of programs that run concurrently. */
const CONCURRENT_PROGRAMS = 8
/** Evaluation timeout of a program that the reference has not answered, and which then runs alone, ms. */
const LONG_EVALUATION_TIMEOUT = 60_000
/** Maximum number of smaller programs that are tried for one difference. */
const MAX_TRIES = 400
/** The traversal source of the programs: the toy graph `modern`. */
const SOURCE = "gmodern"

/** The outcomes of one program. */
export interface ProgramDifference {
  readonly program: Program
  readonly reference: Outcome
  readonly candidate: Outcome
}

/** The number of programs by result. `errors` is the part of `same` for which both servers answer with an error. */
export interface ProgramCounts {
  readonly same: number
  readonly errors: number
  readonly unknown: number
  readonly different: number
  /** Differences that a rule explains. */
  readonly intended: number
}

/** Runs generated programs on the reference, until it has answered `count` of them briefly enough to be recorded. */
export const recordPrograms = async (
  { reference }: Servers,
  { seed, count }: { readonly seed: number; readonly count: number }
): Promise<ReadonlyArray<RecordedProgram>> => {
  const client = new Client(reference.url)
  const programs: Array<RecordedProgram> = []
  for (let number = 0; programs.length < count; number++) {
    const program = programText(programOf(seed, number))
    const outcome = await client.run({ source: SOURCE, program, language: "gremlin-groovy" }, EVALUATION_TIMEOUT)
    const one = recorded(number, program, outcome)
    if (one !== undefined) programs.push(one)
  }
  client.close()
  return programs
}

/**
 * Runs generated programs on both servers. Passes each difference to `found`, with the smallest program that shows it, and each
 * program without an answer of the reference to `unanswered`.
 */
export const playPrograms = async (
  servers: Servers,
  {
    seed,
    from,
    to,
    most
  }: { readonly seed: number; readonly from: number; readonly to: number; readonly most: number },
  {
    found,
    unanswered
  }: {
    readonly found: (number: number, difference: ProgramDifference) => void
    readonly unanswered: (number: number, outcomes: ProgramDifference) => void
  }
): Promise<ProgramCounts> => {
  const reference = new Client(servers.reference.url)
  const candidate = new Client(servers.candidate.url)
  const run = async (program: Program, timeout = EVALUATION_TIMEOUT) => {
    const work = { source: SOURCE, program: programText(program), language: "gremlin-groovy" } as const
    const [left, right] = await Promise.all([reference.run(work, timeout), candidate.run(work, timeout)])
    return { program, reference: left, candidate: right, verdict: compare(left, right, { writes: false }) }
  }
  type Played = Awaited<ReturnType<typeof run>>
  const isDifferent = ({ verdict }: Played): boolean => verdict === "different" || verdict === "order"
  const smallest = async (first: Played): Promise<Played> => {
    let best = first
    let tries = 0
    for (let isSmaller = true; isSmaller; ) {
      isSmaller = false
      for (const program of smallerPrograms(best.program)) {
        if (++tries > MAX_TRIES) return best
        const played = await run(program)
        // A smaller program with a missing variable fails for another reason.
        if (!isDifferent(played) || played.reference.kind !== first.reference.kind) continue
        best = played
        isSmaller = true
        break
      }
    }
    return best
  }
  const counts = { same: 0, errors: 0, unknown: 0, different: 0, intended: 0 }
  for (let first = from; first < to && counts.different < most; first += CONCURRENT_PROGRAMS) {
    const numbers = Array.from({ length: Math.min(CONCURRENT_PROGRAMS, to - first) }, (_, index) => first + index)
    const played = await Promise.all(numbers.map((number) => run(programOf(seed, number))))
    for (const [index, first] of played.entries()) {
      // The reference compiles each program, which takes longer than the usual timeout while others are compiled.
      const one = first.verdict === "unknown" ? await run(first.program, LONG_EVALUATION_TIMEOUT) : first
      if (one.verdict === "unknown") unanswered(numbers[index]!, one)
      if (isDifferent(one) && reasonOf(programText(one.program), one.reference, one.candidate) !== undefined) {
        counts.intended++
      } else if (isDifferent(one)) {
        counts.different++
        found(numbers[index]!, await smallest(one))
      } else {
        counts[one.verdict === "unknown" ? "unknown" : "same"]++
        if (one.verdict === "same" && one.reference.kind === "error") counts.errors++
      }
    }
  }
  reference.close()
  candidate.close()
  return counts
}
