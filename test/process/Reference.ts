import { Bytecode, type Instruction } from "../../src/process/language/Bytecode.ts"
import { P } from "../../src/process/language/Predicate.ts"
import { keyOf } from "../../src/structure/collections/Equivalence.ts"
import type { Vertex } from "../../src/structure/elements/Element.ts"
import { Path } from "../../src/structure/elements/Path.ts"
import type { GraphStore, GraphTransaction } from "../../src/structure/graph/GraphStore.ts"
import { text } from "../../src/structure/texts/Text.ts"
import { edgeRequest } from "../storage/Reads.ts"

/**
 * A second, simple implementation of a part of the language, with which results of the machine are compared. It applies one
 * step after the other to lists of traversers, and processes branches and rounds traverser by traverser.
 */

interface Row {
  readonly value: unknown
  readonly path: ReadonlyArray<unknown>
  /** Completed rounds of the repeat() steps around the row, innermost last. */
  readonly loops: ReadonlyArray<number>
}

/** The objects that each dedup() has seen. A local child starts with an empty memory. */
type Memory = Map<Instruction, Set<unknown>>

const barriers = new Set(["count", "fold", "dedup", "limit", "skip", "tail", "order", "barrier"])

const nested = (instruction: Instruction): ReadonlyArray<Bytecode> =>
  instruction.args.filter((argument): argument is Bytecode => argument instanceof Bytecode)

const holdsBarrier = (steps: ReadonlyArray<Instruction>): boolean =>
  steps.some(
    (step) => barriers.has(step.operator) || nested(step).some((child) => holdsBarrier(child.stepInstructions))
  )

/** The results as texts, in the order of traversers that are processed one after the other. */
export const reference = (graph: GraphStore, bytecode: Bytecode): Array<string> => {
  const transaction = graph.begin({ readOnly: true })
  const start: Row = { value: undefined, path: [], loops: [] }
  return new Reference(transaction).run(bytecode.stepInstructions, [start], new Map()).map(({ value }) => text(value))
}

class Reference {
  readonly #transaction: GraphTransaction
  constructor(transaction: GraphTransaction) {
    this.#transaction = transaction
  }

  run(steps: ReadonlyArray<Instruction>, rows: ReadonlyArray<Row>, memory: Memory): ReadonlyArray<Row> {
    let current = rows
    for (let at = 0; at < steps.length; at++) {
      const step = steps[at]!
      if (isLoop(step)) {
        const loop: Array<Instruction> = []
        // A second modulator of the same kind, or a second repeat(), starts the next loop.
        for (; at < steps.length && isLoop(steps[at]!) && !loop.some((part) => slot(part) === slot(steps[at]!)); at++) {
          loop.push(steps[at]!)
        }
        at--
        current = this.#repeat(loop, current, memory)
      } else current = this.#step(step, current, memory)
    }
    return current
  }

  #step(step: Instruction, rows: ReadonlyArray<Row>, memory: Memory): ReadonlyArray<Row> {
    const { operator, args } = step
    const [first, second, third] = args
    const keep = (test: (row: Row) => boolean): ReadonlyArray<Row> => rows.filter(test)
    const to = (map: (row: Row) => ReadonlyArray<unknown>): ReadonlyArray<Row> =>
      rows.flatMap((row) => map(row).map((value) => ({ ...row, value, path: [...row.path, value] })))
    const one = (value: unknown): ReadonlyArray<Row> => [{ value, path: [value], loops: rows[0]?.loops ?? [] }]
    switch (operator) {
      case "V":
        return to(() => this.#vertices(args))
      case "out":
      case "in":
      case "both":
        return to(({ value }) => this.#neighbours(value as Vertex, operator.toUpperCase() as "OUT", args as string[]))
      case "has":
        return keep(({ value }) =>
          (value as Vertex).properties([first as string]).some((property) => meets(second, property.value))
        )
      case "hasLabel":
        return keep(({ value }) => args.includes((value as Vertex).label))
      case "values":
        return to(({ value }) => (value as Vertex).properties([first as string]).map((property) => property.value))
      case "label":
        return to(({ value }) => [(value as Vertex).label])
      case "constant":
        return to(() => [first])
      case "identity":
      case "barrier":
        return rows
      case "is":
        return keep(({ value }) => meets(first, value))
      case "loops":
        return to(({ loops }) => [loops[loops.length - 1] ?? 0])
      case "simplePath":
        return keep(({ path }) => new Set(path.map(keyOf)).size === path.length)
      case "dedup":
        return this.#dedup(step, rows, memory)
      case "limit":
        return rows.slice(0, first as number)
      case "skip":
        return rows.slice(first as number)
      case "tail":
        return rows.slice(Math.max(0, rows.length - (first as number)))
      case "count":
        return one(BigInt(rows.length))
      case "fold":
        return one(rows.map(({ value }) => value))
      case "path":
        return rows.map((row) => {
          const path = new Path(
            row.path,
            row.path.map(() => new Set())
          )
          return { ...row, value: path, path: [...row.path, path] }
        })
      case "where":
      case "filter":
        return keep((row) => this.#holds(first, row))
      case "not":
        return keep((row) => !this.#holds(first, row))
      case "and":
        return keep((row) => args.every((child) => this.#holds(child, row)))
      case "or":
        return keep((row) => args.some((child) => this.#holds(child, row)))
      case "local":
        return rows.flatMap((row) => this.#local(first, row))
      case "flatMap":
        return rows.flatMap((row) => this.#local(first, row).map((result) => asNext(row, result)))
      case "map":
        return rows.flatMap((row) =>
          this.#local(first, row)
            .slice(0, 1)
            .map((result) => asNext(row, result))
        )
      case "optional":
        return rows.flatMap((row) => {
          const results = this.#local(first, row)
          return results.length === 0 ? [row] : results
        })
      case "coalesce":
        return rows.flatMap((row) => {
          const results = args.map((child) => this.#local(child, row)).find((found) => found.length > 0) ?? []
          return results.map((result) => asNext(row, result))
        })
      case "union":
        return this.#branches(args, rows, memory, () => args)
      case "choose":
        return this.#branches([second, third], rows, memory, (row) => [this.#holds(first, row) ? second : third])
      default:
        throw new Error(`the reference does not implement ${operator}()`)
    }
  }

  /** With a barrier in a branch, all rows pass one branch after the other; otherwise row after row. */
  #branches(
    branches: ReadonlyArray<unknown>,
    rows: ReadonlyArray<Row>,
    memory: Memory,
    ways: (row: Row) => ReadonlyArray<unknown>
  ): ReadonlyArray<Row> {
    const run = (branch: unknown, taken: ReadonlyArray<Row>): ReadonlyArray<Row> => {
      if (taken.length === 0) return []
      return branch === undefined ? taken : this.run((branch as Bytecode).stepInstructions, taken, memory)
    }
    const gated = branches.some((branch) => branch !== undefined && holdsBarrier((branch as Bytecode).stepInstructions))
    if (!gated) return rows.flatMap((row) => ways(row).flatMap((branch) => run(branch, [row])))
    // Rows without a branch come first.
    const passing = branches.filter((branch) => branch === undefined)
    return [...passing, ...branches.filter((branch) => branch !== undefined)].flatMap((branch) =>
      run(
        branch,
        rows.filter((row) => ways(row).includes(branch))
      )
    )
  }

  #local(child: unknown, row: Row): ReadonlyArray<Row> {
    return this.run((child as Bytecode).stepInstructions, [row], new Map())
  }

  #holds(child: unknown, row: Row): boolean {
    return this.#local(child, row).length > 0
  }

  #dedup(step: Instruction, rows: ReadonlyArray<Row>, memory: Memory): ReadonlyArray<Row> {
    let seen = memory.get(step)
    if (seen === undefined) memory.set(step, (seen = new Set()))
    return rows.filter(({ value }) => {
      const key = keyOf(value)
      const isNew = !seen.has(key)
      seen.add(key)
      return isNew
    })
  }

  /** Processes a queue of traversers; if the body has a barrier, all traversers of a round together. */
  #repeat(loop: ReadonlyArray<Instruction>, rows: ReadonlyArray<Row>, memory: Memory): ReadonlyArray<Row> {
    const at = loop.findIndex(({ operator }) => operator === "repeat")
    const body = (loop[at]!.args[0] as Bytecode).stepInstructions
    const find = (names: ReadonlyArray<string>) => {
      const place = loop.findIndex(({ operator }) => names.includes(operator))
      return place < 0 ? undefined : { test: loop[place]!, first: place < at }
    }
    const until = find(["until", "times"])
    const emit = find(["emit"])
    const out: Array<Row> = []
    const meets = (test: Instruction, row: Row): boolean => {
      if (test.operator === "times") return row.loops[row.loops.length - 1]! >= (test.args[0] as number)
      return test.args.length === 0 || this.#holds(test.args[0], row)
    }
    const leave = (row: Row): void => {
      out.push({ ...row, loops: row.loops.slice(0, -1) })
    }
    /** Applies the tests before or after a round. True if the row continues. */
    const goesOn = (row: Row, first: boolean): boolean => {
      if (until !== undefined && until.first === first && meets(until.test, row)) {
        leave(row)
        return false
      }
      if (emit !== undefined && emit.first === first && meets(emit.test, row)) leave(row)
      return true
    }
    const round = (starts: ReadonlyArray<Row>): ReadonlyArray<Row> => {
      const entering = starts.filter((row) => goesOn(row, true))
      if (entering.length === 0) return []
      return this.run(body, entering, memory)
        .map((row) => ({ ...row, loops: [...row.loops.slice(0, -1), row.loops[row.loops.length - 1]! + 1] }))
        .filter((row) => goesOn(row, false))
    }
    const entered = rows.map((row) => ({ ...row, loops: [...row.loops, 0] }))
    if (holdsBarrier(body)) for (let rest: ReadonlyArray<Row> = entered; rest.length > 0; ) rest = round(rest)
    else {
      for (const row of entered) {
        const queue: Array<Row> = [row]
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) queue.push(...round([next]))
      }
    }
    return out
  }

  #vertices(ids: ReadonlyArray<unknown>): ReadonlyArray<unknown> {
    const transaction = this.#transaction
    if (ids.length > 0) return ids.map((id) => transaction.vertex(transaction.vertexRef(id)))
    const refs = { refs: transaction.newRefs(1024), length: 0 }
    transaction.scanVertices(null).next(1024, refs)
    return Array.from(refs.refs.subarray(0, refs.length), (ref) => transaction.vertex(ref))
  }

  #neighbours(vertex: Vertex, direction: "OUT" | "IN" | "BOTH", labels: ReadonlyArray<string>): ReadonlyArray<unknown> {
    const transaction = this.#transaction
    const wanted = labels.length === 0 ? null : labels
    const request = edgeRequest(transaction, vertex.ref, { direction, labels: wanted, edges: false, limit: 64 })
    transaction.expand(request)
    const { out } = request
    return Array.from(out.refs.subarray(0, out.length), (ref) => transaction.vertex(ref))
  }
}

const isLoop = ({ operator }: Instruction): boolean => ["repeat", "until", "times", "emit"].includes(operator)

const slot = ({ operator }: Instruction): string => (operator === "times" ? "until" : operator)

const asNext = (row: Row, { value }: Row): Row => ({ ...row, value, path: [...row.path, value] })

const meets = (wanted: unknown, value: unknown): boolean => {
  if (!(wanted instanceof P)) return wanted === value
  const limit = wanted.value as number
  if (wanted.operator === "gt") return (value as number) > limit
  if (wanted.operator === "lt") return (value as number) < limit
  throw new Error(`the reference does not implement P.${wanted.operator}()`)
}
