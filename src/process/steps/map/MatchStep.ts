import type { Task } from "../../../scheduling/Task.ts"
import { CHUNK_ITEMS } from "../../../scheduling/TimeSlice.ts"
import { GremlinMap } from "../../../structure/Collections.ts"
import { equals } from "../../../structure/Equality.ts"
import type { Compiler, StepBuilder } from "../../compiler/Compiler.ts"
import { TraversalError, TraversalInvalid } from "../../language/Errors.ts"
import type { Activation } from "../../machine/Activation.ts"
import { Batch, carry, PathNode, scratchRows, select, slice, VALUE } from "../../machine/Batch.ts"
import { lastLabelled, objectOf } from "../../machine/Paths.ts"
import { inLargerBatches, runTask } from "../../machine/StepTasks.ts"
import { planOf } from "../../plan/Plan.ts"
import { type Needs, Step } from "../../plan/Step.ts"
import type { Traversal } from "../../plan/Traversal.ts"
import { type Pattern, patternTraversals, readPatterns, variablesOf } from "./MatchPatterns.ts"

/**
 * match(): all ways to bind the labels of its patterns. Bindings are labelled places on the traverser's path, so that
 * select() and where() read them inside and after. Each pattern is worked for a whole batch as soon as its start is
 * bound; those that only compare come before those that multiply.
 */
class MatchStep extends Step {
  readonly operator = "match"
  readonly name = "MatchStep"
  readonly #patterns: ReadonlyArray<Pattern>
  readonly #variables: readonly string[]
  readonly #starts: ReadonlySet<string>
  /** What the incoming object is bound to when its path has none of the start labels. */
  readonly #startLabel: string

  constructor(args: readonly unknown[], compiler: Compiler) {
    super()
    this.#patterns = readPatterns(args, this, compiler)
    const { starts, ends } = variablesOf(this.#patterns)
    if (starts.size === 0) throw new TraversalInvalid("match() needs at least one pattern that begins with as()")
    this.#starts = starts
    this.#variables = [...new Set([...starts, ...ends])]
    this.#startLabel = [...starts].find((label) => !ends.has(label)) ?? [...starts][0]!
  }

  override localChildren(): ReadonlyArray<Traversal> {
    return patternTraversals(this.#patterns)
  }
  override require(needs: Needs): void {
    if (needs.path === 0) needs.path = 1
  }
  override labelsRead(): readonly string[] {
    return this.#variables
  }

  override goesOneByOne(batch: Batch): boolean {
    return batch.length > 1 && this.#patterns.some(({ kind }) => kind === "or")
  }

  override run(batch: Batch, activation: Activation): boolean {
    return runTask(this, batch, activation, () => this.#matched(batch, activation))
  }

  *#matched(batch: Batch, activation: Activation): Task {
    const bound: Array<number> = []
    const unbound: Array<number> = []
    for (let i = 0; i < batch.length; i++) {
      const path = batch.path?.[i] ?? null
      const starts = [...this.#starts].some((label) => lastLabelled(path, label) !== undefined)
      ;(starts ? bound : unbound).push(i)
    }
    const parts: Array<Batch> = []
    if (bound.length > 0) parts.push(select(batch, bound, bound.length))
    if (unbound.length > 0) {
      const starts = select(batch, unbound, unbound.length)
      parts.push(activation.plan.path === 2 ? relabel(starts, this.#startLabel) : label(starts, this.#startLabel))
    }
    const solved: Array<Batch> = []
    let through = false
    const next = (): void => {
      const part = parts.shift()
      if (part === undefined) {
        through = true
        return
      }
      const labels = new Set(this.#variables.filter((name) => lastLabelled(part.path?.[0] ?? null, name) !== undefined))
      solve(part, this.#patterns, labels, activation, (rows) => solved.push(rows), next)
    }
    next()
    // The patterns' traversals run before this goes on.
    if (!through) yield
    for (const rows of solved) {
      for (let from = 0; from < rows.length; from += CHUNK_ITEMS) {
        if (from > 0 || rows !== solved[0]) yield
        this.#emit(slice(rows, from, Math.min(rows.length, from + CHUNK_ITEMS)), activation)
      }
    }
  }

  #emit(solved: Batch, activation: Activation): void {
    const { transaction } = activation
    const maps = Array.from({ length: solved.length }, (_, row) => {
      const map = new GremlinMap()
      for (const name of this.#variables) {
        const node = lastLabelled(solved.path?.[row] ?? null, name)
        if (node !== undefined) map.set(name, objectOf(node, transaction))
      }
      return map
    })
    activation.emitData(this, solved, null, VALUE, maps, maps.length)
  }

  override describe(): string {
    return this.localChildren().map(String).join(", ")
  }
}

/** The rows with a labelled place on their paths for their objects. */
const label = (batch: Batch, name: string): Batch => {
  const out = carry(batch, null, new Batch(batch.kind, batch.data, batch.length))
  out.path = Array.from(
    { length: batch.length },
    (_, i) => new PathNode(batch.kind, batch.data[i], [name], batch.path?.[i] ?? null)
  )
  return out
}

/** The rows with a label more on the last places of their paths, where these hold every object. */
const relabel = (batch: Batch, name: string): Batch => {
  const out = carry(batch, null, new Batch(batch.kind, batch.data, batch.length))
  out.path = Array.from({ length: batch.length }, (_, i) => {
    const node = batch.path?.[i] ?? null
    return node === null
      ? new PathNode(batch.kind, batch.data[i], [name], null)
      : new PathNode(node.kind, node.object, [...(node.labels ?? []), name], node.previous)
  })
  return out
}

/** Works off the patterns that are left; `give` gets rows with everything bound, `done` comes at the end. */
const solve = (
  batch: Batch,
  patterns: ReadonlyArray<Pattern>,
  bound: ReadonlySet<string>,
  activation: Activation,
  give: (solved: Batch) => void,
  done: () => void
): void => {
  if (batch.length === 0) {
    done()
    return
  }
  if (patterns.length === 0) {
    give(batch)
    done()
    return
  }
  const pattern = choose(patterns, bound)
  const rest = patterns.filter((other) => other !== pattern)
  if (pattern.kind === "or") {
    // One row after the other, so that the order of the results is that of the rows. A scout's have no order.
    const { alternatives } = pattern
    const width = activation.scout === null ? 1 : batch.length
    let turn = 0
    const next = (): void => {
      const row = Math.floor(turn / alternatives.length) * width
      if (row === batch.length) {
        done()
        return
      }
      const alternative = alternatives[turn++ % alternatives.length]!
      solve(slice(batch, row, row + width), [...alternative, ...rest], bound, activation, give, next)
    }
    next()
    return
  }
  if (pattern.kind === "filter") {
    activation.invoke(planOf(pattern.traversal), batch, "exists", ({ found }) => {
      const rows = scratchRows(batch.length)
      let kept = 0
      for (let i = 0; i < batch.length; i++) if (found[i] === 1) rows[kept++] = i
      solve(select(batch, rows, kept), rest, bound, activation, give, done)
    })
    return
  }
  walk(batch, pattern, bound, activation, (walked) => {
    const known = pattern.end === null ? bound : new Set([...bound, pattern.end])
    if (rest.length === 0) {
      for (const part of walked) give(part)
      done()
      return
    }
    let at = 0
    const next = (): void => {
      const part = walked[at++]
      if (part === undefined) done()
      else solve(part, rest, known, activation, give, next)
    }
    next()
  })
}

/** The next pattern: filters that can be, then walks between bound labels, then any walk, then alternatives. */
const choose = (patterns: ReadonlyArray<Pattern>, bound: ReadonlySet<string>): Pattern => {
  let best = patterns[0]!
  for (const pattern of patterns) if (rank(pattern, bound) < rank(best, bound)) best = pattern
  if (rank(best, bound) === UNBOUND && best.kind === "walk") {
    throw new TraversalError(`The provided match pattern is unsolvable: nothing binds ${best.start}`)
  }
  return best
}

/** The rank of a pattern of which a label is not bound that it begins with. */
const UNBOUND = 9

const rank = (pattern: Pattern, bound: ReadonlySet<string>): number => {
  if (pattern.kind === "filter") return pattern.labels.every((name) => bound.has(name)) ? 0 : UNBOUND
  if (pattern.kind === "or") {
    return pattern.alternatives.every((parts) => parts.some((part) => rank(part, bound) < UNBOUND)) ? 3 : UNBOUND
  }
  if (!bound.has(pattern.start)) return UNBOUND
  return pattern.end === null || bound.has(pattern.end) ? 1 : 2
}

const walk = (
  batch: Batch,
  pattern: Extract<Pattern, { kind: "walk" }>,
  bound: ReadonlySet<string>,
  activation: Activation,
  done: (walked: ReadonlyArray<Batch>) => void
): void => {
  const { transaction } = activation
  const starts = Array.from({ length: batch.length }, (_, row) =>
    objectOf(lastLabelled(batch.path?.[row] ?? null, pattern.start)!, transaction)
  )
  const results: Array<Batch> = []
  const from = carry(batch, null, new Batch(VALUE, starts, starts.length))
  // A path that holds every object goes through those of the patterns, each from its start.
  const whole = activation.plan.path === 2
  if (whole) from.path = starts.map((start, row) => new PathNode(VALUE, start, null, batch.path?.[row] ?? null))
  activation.invokeAll(
    planOf(pattern.traversal),
    from,
    (found) => {
      const rows = Array.from({ length: found.length }, (_, i) => found.originOf(i))
      const reached = select(batch, rows, rows.length)
      if (whole) reached.path = found.path
      if (pattern.end === null) results.push(reached)
      else if (bound.has(pattern.end)) results.push(agreeing(reached, found, pattern.end, activation))
      else {
        const ends = carry(reached, null, new Batch(found.kind, found.data, found.length))
        results.push(whole ? relabel(ends, pattern.end) : label(ends, pattern.end))
      }
    },
    () => done([...inLargerBatches(results, activation)].filter(({ length }) => length > 0))
  )
}

/** Rows that ended where their end label is bound already. */
const agreeing = (batch: Batch, ends: Batch, name: string, activation: Activation): Batch => {
  const rows: Array<number> = []
  for (let i = 0; i < ends.length; i++) {
    const node = lastLabelled(batch.path?.[i] ?? null, name)
    if (node !== undefined && equals(objectOf(node, activation.transaction), ends.value(i, activation.transaction)))
      rows.push(i)
  }
  return select(batch, rows, rows.length)
}

export const matchSteps: Readonly<Record<string, StepBuilder>> = {
  match: (args, compiler) => new MatchStep(args, compiler)
}
