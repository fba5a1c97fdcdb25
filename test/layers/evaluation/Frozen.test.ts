import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { HostCall } from "../../../src/gremlin/HostCall.ts"
import { evaluate } from "../../../src/gremlin/Interpreter.ts"
import { parseScript } from "../../../src/gremlin/Parser.ts"
import { type Scope, ScriptVariables } from "../../../src/gremlin/Scope.ts"
import { ScriptSource } from "../../../src/gremlin/ScriptObjects.ts"
import { Planner } from "../../../src/process/compiler/Planner.ts"
import { gremlin } from "../../../src/process/Gremlin.ts"
import { TraversalRun } from "../../../src/process/machine/TraversalRun.ts"
import { toyGraph } from "../../../src/storage/memory/ToyGraphs.ts"
import { GremlinMap, GremlinSet } from "../../../src/structure/collections/Collections.ts"
import type { GraphStore, GraphTransaction } from "../../../src/structure/graph/GraphStore.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { ALL_TEXTS_MS } from "../../Limits.ts"
import { vertexRefs } from "../../storage/Reads.ts"
import { frozen } from "../../structure/Frozen.ts"

/** Attempted changes of frozen maps and sets. Those of lists fail with a TypeError of V8. */
const changes: Array<string> = []
const refused = (method: string, collection: unknown): never => {
  changes.push(`${method}() of ${(collection as object).constructor.name}`)
  throw new Error("a frozen collection was changed")
}
const isChange = (error: unknown): boolean =>
  error instanceof TypeError &&
  /object is not extensible|read only property|Cannot delete property|frozen/.test(error.message)

/** A parsed script in which every list, map and set is frozen at any depth: statements, literals, bytecode, predicates. */
const frozenTree = (root: unknown, seen = new Set<unknown>()): void => {
  if (typeof root !== "object" || root === null || seen.has(root)) return
  seen.add(root)
  if (root instanceof Map) for (const value of root.values()) frozenTree(value, seen)
  else if (root instanceof GremlinMap || root instanceof GremlinSet) {
    for (const member of [...root]) frozenTree(member, seen)
  } else for (const value of Object.values(root)) frozenTree(value, seen)
  if (Array.isArray(root) || root instanceof GremlinMap || root instanceof GremlinSet) frozen(root, refused)
}

/** Values of every type with members. */
const values = {
  tags: () => [1, [2, [3]], new GremlinMap([["a", [4]]]), new GremlinSet([5, [6]])],
  map: () =>
    new GremlinMap([
      ["k", [1]],
      [[2], new GremlinMap([["l", 3]])]
    ] as never),
  set: () => new GremlinSet([1, [2]]),
  bytes: () => Uint8Array.of(1, 2, 3)
}

/** The modern graph with frozen collections on each vertex and edge. */
const graphOfFrozen = (): { readonly store: GraphStore; readonly shown: () => string } => {
  const store = toyGraph("modern")
  const transaction = store.begin()
  for (const ref of vertexRefs(transaction)) {
    for (const [key, make] of Object.entries(values)) {
      transaction.setVertexProperty(ref, null, key, frozen(make(), refused))
    }
  }
  transaction.commit()
  const shown = (): string => {
    const reading = store.begin()
    const all = vertexRefs(reading).map((ref) => reading.vertexProperties(ref, null).map(({ value }) => text(value)))
    reading.rollback()
    return all.join("\n")
  }
  return { store, shown }
}

/** Scripts in the tests of this project. The corpus grows with the tests. */
const corpus = (): ReadonlyArray<string> => {
  const root = join(import.meta.dirname, "..", "..")
  const scripts = new Set<string>()
  for (const folder of ["process/steps", "process/scalars", "process/machine", "gremlin"]) {
    for (const file of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".test.ts")) continue
      const source = readFileSync(join(root, folder, file), "utf8")
      for (const [, , script] of source.matchAll(/(["'`])((?:\w+ = )?g\.(?:(?!\1)[^\\\n$])+)\1/g)) scripts.add(script!)
    }
  }
  return [...scripts].filter((script) => !/times\(\d{4,}|limit\(\d{5,}|endless|until\(__\.is\(-?\d\)\)/.test(script))
}

const steps = ["sack(addAll)", "aggregate('x')", "store('x')", "fold()", "unfold()", "fold([], addAll)", "order(local)"]
const sources = [
  "g.V().values('tags')",
  "g.V().values('map')",
  "g.V().values('set')",
  "g.inject(t)",
  "g.inject([1, [2]])"
]
const more = ["dedup()", "group().by().by(count())", "groupCount('x')", "reverse()", "cap('x')", "range(local, 0, 1)"]
const lists = ["combine(t)", "merge(t)", "product(t)", "difference(t)", "disjunct(t)", "intersect(t)", "conjoin(';')"]
const ends = ["", ".sack()", ".cap('x')", ".fold()", ".next().clear()", ".toList().add(1)", ".path()", ".tree()"]

/** Every source with every pair of steps that make or change collections. */
const generated = (): ReadonlyArray<string> => {
  const all = [...steps, ...more, ...lists]
  return sources.flatMap((source, s) =>
    all.flatMap((first, i) =>
      all.map((second, k) => {
        const begin = source.replace(/^g\./, "g.withSack([0]).withSideEffect('x', [9]).")
        return `${begin}.sack(assign).by().${first}.sack(addAll).${second}${ends[(s + i + k) % ends.length]}`
      })
    )
  )
}

const changing = [
  "x.add(1)",
  "x.clear()",
  "x << 1",
  "x[0] = 1",
  "x.put('a', x)",
  "x.addAll(x)",
  "x[1].add(x)",
  "x += x"
]
const origins = [
  "t",
  "m",
  "g.V().values('tags').next()",
  "g.V().next().value('map')",
  "g.V().valueMap().next()",
  "[t, m]"
]
const statements = (): ReadonlyArray<string> =>
  origins.flatMap((origin) =>
    changing.flatMap((change) => [`x = ${origin}; ${change}; x`, `x = [${origin}]; x[0].add(x); ${change}`])
  )

/** Runs a script with one planner, as the server does. Returns the error of an attempted change. */
const play = (
  script: string,
  planner: Planner,
  transaction: GraphTransaction,
  bindings: Readonly<Record<string, unknown>>
) => {
  const g = new ScriptSource("g")
  const settings = { instructions: [] }
  const variables = new ScriptVariables()
  for (const [name, value] of Object.entries(bindings)) variables.bind(name, value)
  const globals = new Map<string, unknown>([["g", g]])
  const scope: Scope = { variables, isKept: true, globals, sourceOf: () => g, classes: new Map() }
  const answer = (call: HostCall): unknown => {
    if (call.kind !== "traversal") return undefined
    const results: Array<unknown> = []
    const accept = (batch: ReadonlyArray<unknown>, length: number): boolean =>
      results.push(...batch.slice(0, length)) < 10_000
    const run = new TraversalRun(planner.prepare(call.bytecode, call.variables, settings), transaction)
    for (let slices = 0; slices < 4; slices++) {
      const progress = run.advance(performance.now() + 5, { accept })
      if (progress !== "slice") break
    }
    run.close()
    // A result may be a part of the graph or of the plan.
    for (const result of results) frozen(result, refused)
    return results
  }
  const parsed = parseScript(script)
  frozenTree(parsed)
  for (let round = 0; round < 2; round++) {
    const running = evaluate(parsed, scope)
    let step = running.next()
    while (step.done !== true) step = running.next(answer(step.value))
  }
}

describe("A value of a graph, a plan, a binding or a cached script", () => {
  it("is changed by no traversal and no statement of the tests, nor by generated ones", {
    timeout: ALL_TEXTS_MS
  }, () => {
    const { store, shown } = graphOfFrozen()
    const planner = new Planner(gremlin, { cacheSize: 5_000 })
    const bindings = { t: frozen(values.tags(), refused), m: frozen(values.map(), refused), x: frozen([1, 2], refused) }
    const before = shown()
    const wrong: Array<string> = []
    let played = 0
    for (const script of [...corpus(), ...generated(), ...statements()]) {
      const transaction = store.begin()
      changes.length = 0
      try {
        play(script, planner, transaction, bindings)
        played++
      } catch (error) {
        if (isChange(error)) wrong.push(`${script}: ${(error as Error).stack?.split("\n").slice(0, 3).join(" ")}`)
      }
      transaction.rollback()
      if (changes.length > 0) wrong.push(`${script}: ${changes.join()}`)
    }
    expect(wrong).toEqual([])
    expect(shown()).toBe(before)
    expect(played).toBeGreaterThan(1_000)
  })
})
