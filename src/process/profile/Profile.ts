import { runWhole, type Task } from "../../scheduling/Task.ts"
import { isRounded } from "../../structure/numbers/Bulks.ts"
import { double } from "../../structure/numbers/Numbers.ts"
import { Metrics, TraversalMetrics } from "../../structure/profiles/Metrics.ts"
import type { Batch } from "../plan/Batch.ts"
import type { Measurements } from "../plan/Run.ts"
import { childrenOf, type Step, type Traversal } from "../plan/Step.ts"

/** The measurements of one step. */
interface Meter {
  /** Time in the code of the step itself, ms. */
  time: number
  /** Rows that it emitted, and the number of traversers that they represent. */
  rows: number
  traversers: number
  readonly annotations: Map<string, unknown>
}

/** The measurements of one run, for profile(). */
export class Profile implements Measurements {
  readonly #root: Traversal
  readonly #meters = new Map<Step, Meter>()
  /** The step whose code is running. */
  #current: Step | null = null

  /** @param root The traversal. The steps before its profile() are measured. */
  constructor(root: Traversal) {
    this.#root = root
  }

  #meter(step: Step): Meter {
    let meter = this.#meters.get(step)
    if (meter === undefined)
      this.#meters.set(step, (meter = { time: 0, rows: 0, traversers: 0, annotations: new Map() }))
    return meter
  }

  /** Runs code of a step and adds its time to the step. */
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
      // The time of nested code must not count for the outer step, too.
      if (outer !== null) this.#meter(outer).time -= time
    }
  }

  /** The step whose code is running; null outside of {@link measure}. */
  get current(): Step | null {
    return this.#current
  }

  /** Counts rows that a step emits. From the last step of a branch they also leave the branching step. */
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

  /** Records an annotation of a step. Several values of one name are joined. */
  annotate(step: Step, name: string, value: string): void {
    const { annotations } = this.#meter(step)
    const known = annotations.get(name)
    if (known === undefined) annotations.set(name, value)
    else if (!String(known).split(", ").includes(value)) annotations.set(name, `${String(known)}, ${value}`)
  }

  /** The measurements so far. */
  metrics(): TraversalMetrics {
    return runWhole(this.metricsTask())
  }

  /** Computes {@link metrics} with yields: a traversal may have thousands of steps. */
  *metricsTask(): Task<TraversalMetrics> {
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

  /** Time of a step and of its descendants, ms. */
  *#time(step: Step, times: Map<Step, number>): Task<number> {
    let time = this.#meter(step).time
    for (const inner of insideOf(step)) time += yield* this.#time(inner, times)
    times.set(step, time)
    if (times.size % STEPS_PER_YIELD === 0) yield
    return time
  }

  *#metricsOf(step: Step, id: string, total: number | null, times: Map<Step, number>): Task<Metrics> {
    const { annotations, rows, traversers } = this.#meter(step)
    const time = times.get(step)!
    const counts = new Map<string, bigint>()
    if (rows > 0) {
      counts.set("traverserCount", BigInt(rows))
      // A rounded number is left out.
      if (!isRounded(traversers)) counts.set("elementCount", BigInt(traversers))
    }
    const noted = new Map(annotations)
    if (total !== null) noted.set("percentDur", double(total === 0 ? 0 : (time * 100) / total))
    const nested: Array<Metrics> = []
    for (const [at, inner] of insideOf(step).entries()) {
      nested.push(yield* this.#metricsOf(inner, `0.${at}.0(${id})`, null, times))
      if (at % STEPS_PER_YIELD === STEPS_PER_YIELD - 1) yield
    }
    return new Metrics({ id, name: step.toString(), duration: nanoseconds(time), counts, annotations: noted, nested })
  }
}

/** Steps that are visited between two yields. */
const STEPS_PER_YIELD = 64

const insideOf = (step: Step): ReadonlyArray<Step> => childrenOf(step).flatMap(({ steps }) => steps)

/** The step whose branch ends with this step; null if there is none, or if that step itself emits the rows. */
const branchesAround = (step: Step): Step | null => {
  const { parent } = step.traversal
  const ends = parent?.globalChildren().includes(step.traversal) && parent.nextIndex === step.nextIndex
  return ends ? parent : null
}

const nanoseconds = (milliseconds: number): bigint => BigInt(Math.max(0, Math.round(milliseconds * 1e6)))
