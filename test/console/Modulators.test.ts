import { describe, expect, it } from "vitest"
import { rankAfter } from "../../console/query/Modulators.ts"
import { positionAfter } from "../../console/query/Position.ts"
import { steps } from "../../src/process/language/StepSignatures.ts"
import { prepare } from "../process/run.ts"

/** An argument of each kind. */
const literals: Readonly<Record<string, string>> = {
  value: "1",
  int: "1",
  number: "1",
  boolean: "true",
  map: "[:]",
  traversal: "__.identity()",
  predicate: "P.gt(1)",
  date: "OffsetDateTime('2020-01-01T00:00:00Z')",
  Scope: "Scope.local",
  T: "T.id",
  Direction: "Direction.OUT",
  Column: "Column.keys",
  DT: "DT.day",
  GType: "GType.INT",
  Barrier: "Barrier.normSack",
  Operator: "Operator.sum"
}

/** Examples of the arguments of a signature, such as `string, predicate or traversal...`. */
const argumentsOf = (signature: string): string =>
  signature
    .split(", ")
    .filter((term) => term !== "")
    .map((term, index) => {
      const [kind = ""] = term.replace("...", "").split(" or ")
      // Names of columns differ.
      return kind === "string" ? `'a${index}'` : (literals[kind] ?? "'a'")
    })
    .join(", ")

/** Calls of each modulator, some of which only some steps take. */
const calls: Readonly<Record<string, ReadonlyArray<string>>> = {
  by: ["by('name')", "by()"],
  emit: ["emit()"],
  from: ["from('a')"],
  option: ["option(1, __.out())", "option(Merge.onCreate, [:])"],
  read: ["read()"],
  times: ["times(2)"],
  to: ["to('a')"],
  until: ["until(__.out())"],
  with: ["with('x', 1)", "with(WithOptions.tokens)", "with(WithOptions.indexer, WithOptions.list)"],
  write: ["write()"]
}

const compiles = (traversal: string): boolean => {
  try {
    prepare(traversal)
    return true
  } catch {
    return false
  }
}

/** Steps whose options have names of their own. */
const options: Readonly<Record<string, string>> = {
  connectedComponent: "with('~tinkerpop.connectedComponent.propertyName', 'c')",
  pageRank: "with('~tinkerpop.pageRank.times', 2)",
  peerPressure: "with('~tinkerpop.peerPressure.times', 2)",
  shortestPath: "with('~tinkerpop.shortestPath.includeEdges', true)",
  io: "with(IO.reader, IO.graphml)"
}

describe("rankAfter", () => {
  it("offers a modulator after a step exactly when the compiler accepts it there", () => {
    const differences: Array<string> = []
    let accepted = 0
    for (const step of [...steps.keys(), "io"]) {
      if (step in calls || step === "as" || step === "fail") continue
      const own: Readonly<Record<string, string>> = {
        io: "g.io('a.xml')",
        match: "g.V().match(__.as('a').out().as('b'))",
        repeat: "g.V().repeat(__.out())",
        where: "g.V().as('a').where(P.eq('a'))"
      }
      const examples = (steps.get(step)?.signatures ?? []).map(({ text }) => `g.V().${step}(${argumentsOf(text)})`)
      const base = own[step] === undefined ? examples.filter(compiles) : [own[step]]
      if (base.length === 0) differences.push(`${step}: no example compiles`)
      for (const [modulator, forms] of Object.entries(calls)) {
        const tried = [...forms, ...(options[step]?.startsWith(`${modulator}(`) === true ? [options[step]] : [])]
        const isTaken = base.some((start) => tried.some((form) => compiles(`${start}.${form}`)))
        const rank = rankAfter(["V", step])(modulator)
        if (isTaken) accepted++
        if (isTaken !== (rank === 1)) differences.push(`${step}().${modulator}(): ${isTaken} ${rank}`)
      }
    }
    expect(differences).toEqual([])
    expect(accepted).toBeGreaterThan(40)
  })

  it("skips modulators and as() on the way to the step, and knows what may stand before repeat()", () => {
    expect(rankAfter(["V", "order", "by", "as"])("by")).toBe(1)
    expect(rankAfter(["V", "out"])("by")).toBe(undefined)
    expect(rankAfter(["V"])("emit")).toBe(-1)
    expect(rankAfter([])("out")).toBe(0)
  })
})

describe("positionAfter", () => {
  it("knows the calls of the chain at the cursor", () => {
    const chains: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
      ["g.V().order().by('age').", ["V", "order", "by"]],
      ["g.V().where(__.out('a)').order().b", ["out", "order"]],
      ["g.V().out(", []],
      ["x = [1, 2]; g.V().group().by(T.label).b", ["V", "group", "by"]],
      ["g.V()\n  .filter{ it.get() }\n  .path().f", ["V", "filter", "path"]],
      ["g.V().union(__.out(), __.in().path().", ["in", "path"]],
      ["g.V().path(); g.V().out().", ["V", "out"]],
      ["out('a').dedup().", ["out", "dedup"]]
    ]
    for (const [text, chain] of chains) expect([text, positionAfter(text).chain]).toEqual([text, chain])
  })
})
