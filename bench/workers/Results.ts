import { LONG_READ } from "./Requests.ts"
import { middle, ratio, type Turns } from "./Turns.ts"

/** CPU time of a request of several workers, in those of one worker, or of as many separate servers. */
const MOST_CPU = 1.1
/** Requests/s of two workers beside one, of requests with enough work. */
const LEAST_RATE = 1.6
const EVEN = [0.4, 0.6] as const

/** `CPU x 1.1: yes`. */
export const goal = (isMet: boolean, text: string): string => `${text}: ${isMet ? "yes" : "no"}`

/** A table in Markdown. */
export const markdown = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const [heading, ...others] = rows
  return [heading!, heading!.map(() => "---"), ...others].map((cells) => `| ${cells.join(" | ")} |`).join("\n")
}

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`

const HEADING = [
  "request",
  "processes",
  "CPU, us",
  "/ one worker",
  "/ as many servers",
  "busiest",
  "requests/s",
  "/ one worker",
  "p99, ms",
  "goals"
]

/** What a case has to reach. */
interface Case {
  readonly request: string
  readonly isCommit: boolean
  readonly turns: Turns
  readonly one: Turns
  /** As many separate servers. */
  readonly separate: Turns | undefined
}

const goalsOf = ({ isCommit, one, request, separate, turns }: Case): ReadonlyArray<string> => {
  const isTwo = turns.name === "2 workers"
  if (isCommit) {
    return isTwo ? [goal(ratio(turns, one, "perSecond") >= 1, "not fewer commits/s")] : []
  }
  if (!turns.name.endsWith("workers")) return []
  const share = middle(turns, "busiestShare")
  return [
    goal(ratio(turns, one, "microseconds") <= MOST_CPU, `CPU x ${MOST_CPU} of one`),
    ...(separate === undefined
      ? []
      : [goal(ratio(turns, separate, "microseconds") <= MOST_CPU, `CPU x ${MOST_CPU} of as many servers`)]),
    ...(isTwo ? [goal(share >= EVEN[0] && share <= EVEN[1], "each 40 to 60 %")] : []),
    ...(isTwo && request === LONG_READ
      ? [goal(ratio(turns, one, "perSecond") >= LEAST_RATE, `requests/s x ${LEAST_RATE}`)]
      : [])
  ]
}

const rowsOf = (
  request: string,
  isCommit: boolean,
  all: ReadonlyArray<Turns>
): ReadonlyArray<ReadonlyArray<string>> => {
  const one = all[0]!
  return all.map((turns, i) => {
    const separate = all.find(({ name }) => i > 0 && name === turns.name.replace("workers", "servers"))
    const against = separate === undefined || separate === turns ? undefined : separate
    return [
      i === 0 ? request : "",
      turns.name,
      middle(turns, "microseconds").toFixed(0),
      i === 0 ? "" : ratio(turns, one, "microseconds").toFixed(2),
      against === undefined ? "" : ratio(turns, against, "microseconds").toFixed(2),
      i === 0 ? "" : percent(middle(turns, "busiestShare")),
      middle(turns, "perSecond").toFixed(0),
      i === 0 ? "" : ratio(turns, one, "perSecond").toFixed(2),
      middle(turns, "p99").toFixed(1),
      i === 0 ? "" : goalsOf({ request, isCommit, turns, one, separate: against }).join(", ")
    ]
  })
}

/** Rows of the main table: requests, and what was measured of each. */
export class Results {
  readonly #rows: Array<ReadonlyArray<string>> = [HEADING]

  /** Adds the contenders of a request, with one worker first. Prints their rows, in case that the run does not reach its end. */
  add(request: string, all: ReadonlyArray<Turns>, isCommit = false): void {
    const rows = rowsOf(request, isCommit, all)
    for (const row of rows) console.log(row.join("  "))
    this.#rows.push(...rows)
  }

  get table(): string {
    return markdown(this.#rows)
  }
}
