import { runWhole, type Task } from "../../scheduling/Task.ts"
import { Metrics, TraversalMetrics } from "../../structure/Metrics.ts"
import { double } from "../../structure/Numbers.ts"
import type { Batch } from "../plan/Batch.ts"
import type { Measurements } from "../plan/Run.ts"
import type { Step, Traversal } from "../plan/Step.ts"

/** What is measured of one step. */
interface Meter {
  /** Time in the step's own code, ms. */
  time: number
  /** Rows that left it, and how many traversers these stand for. */
  rows: number
  traversers: number
  readonly annotations: Map<string, unknown>
}

/** Measurements of one run, for profile(). */
export class Profile implements Measurements {
  readonly #root: Traversal
  readonly #meters = new Map<Step, Meter>()
  /** The step whose code is running. */
  #current: Step | null = null

  /** `root`: the traversal; what stands before profile() is measured. */
  constructor(root: Traversal) {
    this.#root = root
  }

  #meter(step: Step): Meter {
    let meter = this.#meters.get(step)
    if (meter === undefined)
      this.#meters.set(step, (meter = { time: 0, rows: 0, traversers: 0, annotations: new Map() }))
    return meter
  }

  /** Runs code of a step. */
  measure<A>(step: Step, code: () => A): A {
    const outer = this.#current
    const begin = performance.now()
    this.#current = step
    try {
      return code()
    } finally {
      this.#current = outer
      const time = performance.now() - begin
      this.#meter(step).time += time
      // Code of a step inside another's: the time is not both's.
      if (outer !== null) this.#meter(outer).time -= time
    }
  }

  /** The step whose code is running; null outside of {@link measure}. */
  get current(): Step | null {
    return this.#current
  }

  /** Counts rows that leave a step; they leave the steps around it, too, when it is the last of a branch. */
  emitted(step: Step, batch: Batch): void {
    let traversers = batch.length
    if (batch.bulk !== null) {
      traversers = 0
      for (let i = 0; i < batch.length; i++) traversers += batch.bulk[i]!
    }
    for (let at: Step | null = step; at !== null; at = branchesAround(at)) {
      const meter = this.#meter(at)
      meter.rows += batch.length
      meter.traversers += traversers
    }
  }

  /** Notes a finding about a step; several values of one name are joined. */
  annotate(step: Step, name: string, value: string): void {
    const { annotations } = this.#meter(step)
    const known = annotations.get(name)
    if (known === undefined) annotations.set(name, value)
    else if (!String(known).split(", ").includes(value)) annotations.set(name, `${String(known)}, ${value}`)
  }

  /** What was measured so far. */
  metrics(): TraversalMetrics {
    return runWhole(this.pieces())
  }

  /** The same, with a yield after some of the steps: there may be thousands. */
  *pieces(): Task<TraversalMetrics> {
    const { steps } = this.#root
    const all = steps.slice(
      0,
      steps.findIndex((step) => step.traits.role === "measures")
    )
    const times = new Map<Step, number>()
    let total = 0
    for (const step of all) total += yield* this.#time(step, times)
    const metrics: Array<Metrics> = []
    for (const [at, step] of all.entries()) metrics.push(yield* this.#metricsOf(step, `${at}.0.0()`, total, times))
    return new TraversalMetrics(nanoseconds(total), metrics)
  }

  /** Time of a step and of everything inside it, ms. */
  *#time(step: Step, times: Map<Step, number>): Task<number> {
    let time = this.#meter(step).time
    for (const inner of insideOf(step)) time += yield* this.#time(inner, times)
    times.set(step, time)
    if (times.size % AT_ONCE === 0) yield
    return time
  }

  *#metricsOf(step: Step, id: string, total: number | null, times: Map<Step, number>): Task<Metrics> {
    const { annotations, rows, traversers } = this.#meter(step)
    const time = times.get(step)!
    const counts = new Map<string, bigint>()
    if (rows > 0) {
      counts.set("traverserCount", BigInt(rows))
      counts.set("elementCount", BigInt(traversers))
    }
    const noted = new Map(annotations)
    if (total !== null) noted.set("percentDur", double(total === 0 ? 0 : (time * 100) / total))
    const nested: Array<Metrics> = []
    for (const [at, inner] of insideOf(step).entries()) {
      nested.push(yield* this.#metricsOf(inner, `0.${at}.0(${id})`, null, times))
      if (at % AT_ONCE === AT_ONCE - 1) yield
    }
    return new Metrics(id, step.toString(), nanoseconds(time), counts, noted, nested)
  }
}

/** Steps that are gone through between two yields. */
const AT_ONCE = 64

const insideOf = (step: Step): ReadonlyArray<Step> =>
  [...step.localChildren(), ...step.globalChildren()].flatMap(({ steps }) => steps)

/** The step whose branch ends with this one; null when there is none, or it hands on its rows itself. */
const branchesAround = (step: Step): Step | null => {
  const { parent } = step.traversal
  const ends = parent?.globalChildren().includes(step.traversal) && parent.nextIndex === step.nextIndex
  return ends ? parent : null
}

const nanoseconds = (milliseconds: number): bigint => BigInt(Math.max(0, Math.round(milliseconds * 1e6)))
