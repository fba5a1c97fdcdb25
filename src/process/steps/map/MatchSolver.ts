import type { Task } from "../../../scheduling/Task.ts"
import { CHUNK_ITEMS } from "../../../scheduling/TimeSlice.ts"
import { isSame } from "../../../structure/comparison/SameValue.ts"
import { joinedBulks } from "../../../structure/numbers/Bulks.ts"
import { TraversalError } from "../../language/Errors.ts"
import { lastLabelled, nodesOf, objectOf } from "../../machine/Paths.ts"
import { answered, inLargerBatches } from "../../machine/StepTasks.ts"
import type { Activation, ChildResult } from "../../plan/Activation.ts"
import { Batch, carry, PathNode, select, slice, VALUE } from "../../plan/Batch.ts"
import { mayBeEndless } from "../../plan/Endlessness.ts"
import { planOf } from "../../plan/Plan.ts"
import type { Step } from "../../plan/Step.ts"
import type { Pattern, Walk } from "./MatchPatterns.ts"

type Labels = ReadonlySet<string>

/** Finds the bindings of match() patterns for rows. Rows with all variables bound are emitted as they are found. */
export class MatchSolver {
  readonly #step: Step
  readonly #activation: Activation
  readonly #give: (solved: Batch) => void

  constructor(step: Step, activation: Activation, give: (solved: Batch) => void) {
    this.#step = step
    this.#activation = activation
    this.#give = give
  }

  /** Solves the remaining patterns for rows whose paths hold the labels `bound`. */
  *solve(batch: Batch, patterns: ReadonlyArray<Pattern>, bound: Labels): Task {
    if (batch.length === 0) return
    if (patterns.length === 0) {
      yield* this.#giveOut(batch)
      return
    }
    const pattern = choose(patterns, bound)
    const rest = patterns.filter((other) => other !== pattern)
    if (pattern.kind === "or") yield* this.#either(batch, pattern.alternatives, rest, bound)
    else if (pattern.kind === "filter") {
      const { found } = yield* answered<ChildResult>((done) =>
        this.#activation.invoke(planOf(pattern.traversal), batch, "exists", done)
      )
      const rows = Array.from(found.keys()).filter((row) => found[row] === 1)
      yield* this.solve(select(batch, rows, rows.length), rest, bound)
    } else yield* this.#walkOn(batch, pattern, rest, bound)
  }

  *#giveOut(solved: Batch): Task {
    for (let from = 0; from < solved.length; from += CHUNK_ITEMS) {
      this.#give(slice(solved, from, Math.min(solved.length, from + CHUNK_ITEMS)))
      yield
    }
  }

  /** Solves an or() row by row, so that results keep the order of the rows. The rows of a scout have no order. */
  *#either(
    batch: Batch,
    alternatives: ReadonlyArray<ReadonlyArray<Pattern>>,
    rest: ReadonlyArray<Pattern>,
    bound: Labels
  ): Task {
    const width = this.#activation.scout === null ? 1 : batch.length
    for (let row = 0; row < batch.length; row += width) {
      for (const alternative of alternatives) {
        yield* this.solve(slice(batch, row, row + width), [...alternative, ...rest], bound)
      }
    }
  }

  /** Runs the walk of a pattern, then solves the remaining patterns. */
  *#walkOn(batch: Batch, pattern: Walk, rest: ReadonlyArray<Pattern>, bound: Labels): Task {
    const { plan, scout } = this.#activation
    if (scout === null && mayBeEndless(pattern.traversal, plan)) {
      for (let row = 0; row < batch.length; row++) {
        yield* this.#stream(slice(batch, row, row + 1), pattern, rest, bound)
      }
      return
    }
    const walk = this.#begin(batch, pattern, bound)
    const results: Array<Batch> = []
    yield* answered<null>((done) =>
      this.#activation.invokeAll(
        planOf(pattern.traversal),
        walk.from,
        (found) => results.push(walk.arrived(found)),
        () => done(null)
      )
    )
    for (const part of inLargerBatches(results, this.#activation)) yield* this.#goOn(part, pattern, rest, bound)
  }

  /** Solves the remaining patterns for results of a walk. Not all of its results have the labels that its steps set. */
  *#goOn(found: Batch, { end, sets }: Walk, rest: ReadonlyArray<Pattern>, bound: Labels): Task {
    const known = new Set(end === null ? bound : [...bound, end])
    const uncertain = sets.filter((name) => !known.has(name))
    for (const { labels, rows } of partsByLabels(found, uncertain)) {
      yield* this.solve(rows, rest, labels.length === 0 ? known : new Set([...known, ...labels]))
    }
  }

  /** Walks from a single row whose walk may be infinite. */
  *#stream(row: Batch, pattern: Walk, rest: ReadonlyArray<Pattern>, bound: Labels): Task {
    const activation = this.#activation
    const walk = this.#begin(row, pattern, bound)
    const owner = { index: this.#step.index }
    let results: Array<Batch> = []
    const take = (found: Batch): void => {
      results.push(walk.arrived(found))
    }
    activation.openStream(owner, planOf(pattern.traversal), walk.from, take, () => {})
    for (;;) {
      // The child runs at this yield.
      yield
      const found = results
      results = []
      for (const part of inLargerBatches(found, activation)) yield* this.#goOn(part, pattern, rest, bound)
      if (!activation.hasStream(owner)) return
      if (!activation.isWanted(this.#step, row)) {
        activation.closeStream(owner)
        return
      }
      activation.resumeStream(owner)
    }
  }

  /** Places rows at the start of a pattern; `arrived` maps the walk's results to rows for the remaining patterns. */
  #begin(batch: Batch, pattern: Walk, bound: Labels): { readonly from: Batch; arrived(found: Batch): Batch } {
    const { plan, transaction } = this.#activation
    const starts = Array.from({ length: batch.length }, (_, row) => {
      const node = lastLabelled(batch.path?.[row] ?? null, pattern.start)
      if (node !== undefined) return objectOf(node, transaction)
      throw new TraversalError(
        `match() has a pattern that begins with ${pattern.start}, but ${pattern.start} is not bound: ${this.#step}`
      )
    })
    const from = carry(batch, null, new Batch(VALUE, starts, starts.length))
    // If paths hold every object, the path includes the objects of each pattern, beginning at the pattern's start.
    const whole = plan.path === 2
    if (whole) from.path = starts.map((start, row) => new PathNode(VALUE, start, null, batch.path?.[row] ?? null))
    const keepsPath = whole || pattern.sets.length > 0
    const arrived = (found: Batch): Batch => {
      const reached = reachedBy(batch, found)
      if (pattern.reduces) reached.sack = sackOf(batch, found)
      if (keepsPath) reached.path = pattern.reduces ? stepped(found, from) : grown(found, batch, from)
      const { end } = pattern
      if (end === null) return reached
      if (bound.has(end)) return this.#agreeing(reached, found, end)
      const ends = carry(reached, null, new Batch(found.kind, found.data, found.length))
      return whole ? relabel(ends, end) : label(ends, end)
    }
    return { from, arrived }
  }

  /** Keeps rows whose walk ended at the object already bound to the end label. */
  #agreeing(batch: Batch, ends: Batch, name: string): Batch {
    const { transaction } = this.#activation
    const rows: Array<number> = []
    for (let i = 0; i < ends.length; i++) {
      const node = lastLabelled(batch.path?.[i] ?? null, name)
      if (node !== undefined && isSame(objectOf(node, transaction), ends.value(i, transaction))) rows.push(i)
    }
    return select(batch, rows, rows.length)
  }
}

/** The rows of a batch by the labels that their paths have, of the given ones. */
export const partsByLabels = (
  batch: Batch,
  names: readonly string[]
): ReadonlyArray<{ readonly rows: Batch; readonly labels: readonly string[] }> => {
  if (names.length === 0) return [{ rows: batch, labels: [] }]
  const groups = new Map<string, { readonly places: Array<number>; readonly labels: readonly string[] }>()
  for (let row = 0; row < batch.length; row++) {
    const path = batch.path?.[row] ?? null
    const has = names.map((name) => lastLabelled(path, name) !== undefined)
    const key = String(has)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { places: [row], labels: names.filter((_, at) => has[at]) })
    else group.places.push(row)
  }
  return Array.from(groups.values(), ({ labels, places }) => ({
    rows: places.length === batch.length ? batch : select(batch, places, places.length),
    labels
  }))
}

/** The source row of each result, with the sack and bulk of the result. */
const reachedBy = (batch: Batch, found: Batch): Batch => {
  const reached = select(
    batch,
    Array.from({ length: found.length }, (_, i) => found.originOf(i)),
    found.length
  )
  if (found.sack !== null) reached.sack = found.sack
  if (found.bulk !== null) {
    reached.bulk = joinedBulks(Float64Array.from(found.bulk, (bulk, i) => bulk * reached.bulkOf(i)))
  }
  return reached
}

/** The sacks of the source rows of results. */
const sackOf = ({ sack }: Batch, found: Batch): readonly unknown[] | null =>
  sack === null ? null : Array.from({ length: found.length }, (_, i) => sack[found.originOf(i)])

/** The paths of rows at their pattern starts, extended by one place for each result. */
const stepped = (found: Batch, from: Batch): ReadonlyArray<PathNode> =>
  Array.from(
    { length: found.length },
    (_, i) => new PathNode(found.kind, found.data[i], null, from.path?.[found.originOf(i)] ?? null)
  )

/** The paths of results. A path that a reducing step restarted continues from the start of the pattern. */
const grown = (found: Batch, batch: Batch, from: Batch): ReadonlyArray<PathNode | null> =>
  Array.from({ length: found.length }, (_, i) => {
    const row = found.originOf(i)
    const path = found.path?.[i] ?? null
    return continues(path, batch.path?.[row] ?? null) ? path : onTop(path, from.path?.[row] ?? null)
  })

const continues = (path: PathNode | null, before: PathNode | null): boolean => {
  for (let node = path; node !== null; node = node.previous) if (node === before) return true
  return before === null
}

const onTop = (path: PathNode | null, base: PathNode | null): PathNode | null =>
  nodesOf(path).reduce<PathNode | null>(
    (previous, { kind, object, labels }) => new PathNode(kind, object, labels, previous),
    base
  )

/** Extends the paths of rows by their current objects with a label. */
export const label = (batch: Batch, name: string): Batch => {
  const out = carry(batch, null, new Batch(batch.kind, batch.data, batch.length))
  out.path = Array.from(
    { length: batch.length },
    (_, i) => new PathNode(batch.kind, batch.data[i], [name], batch.path?.[i] ?? null)
  )
  return out
}

/** Adds a label to the last places of the rows' paths. For paths that hold every object. */
export const relabel = (batch: Batch, name: string): Batch => {
  const out = carry(batch, null, new Batch(batch.kind, batch.data, batch.length))
  out.path = Array.from({ length: batch.length }, (_, i) => {
    const node = batch.path?.[i] ?? null
    return node === null
      ? new PathNode(batch.kind, batch.data[i], [name], null)
      : new PathNode(node.kind, node.object, [...(node.labels ?? []), name], node.previous)
  })
  return out
}

/** Chooses the next pattern: solvable filters first, then walks between bound labels, other walks, and alternatives. */
const choose = (patterns: ReadonlyArray<Pattern>, bound: Labels): Pattern => {
  let best = patterns[0]!
  for (const pattern of patterns) if (rank(pattern, bound) < rank(best, bound)) best = pattern
  if (rank(best, bound) === UNBOUND_RANK && best.kind === "walk") {
    throw new TraversalError(`The provided match pattern is unsolvable: nothing binds ${best.start}`)
  }
  return best
}

/** The rank of a pattern whose start label is not bound. */
const UNBOUND_RANK = 9

const rank = (pattern: Pattern, bound: Labels): number => {
  if (pattern.kind === "filter") return pattern.labels.every((name) => bound.has(name)) ? 0 : UNBOUND_RANK
  if (pattern.kind === "or") {
    return pattern.alternatives.every((parts) => parts.some((part) => rank(part, bound) < UNBOUND_RANK))
      ? 3
      : UNBOUND_RANK
  }
  if (!bound.has(pattern.start)) return UNBOUND_RANK
  // A step of the walk reads a label that another pattern binds.
  if (!pattern.reads.every((name) => bound.has(name))) return 4
  return pattern.end === null || bound.has(pattern.end) ? 1 : 2
}
