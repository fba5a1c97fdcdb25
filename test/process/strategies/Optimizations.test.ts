import { describe, expect, it } from "vitest"
import { prepare, results, toy } from "../run.ts"

/** The steps of a traversal after its strategies, as explain() shows them, without the operands of conditions. */
const steps = (script: string): ReadonlyArray<string> =>
  prepare(script).compiled.traversal.steps.map((step) => String(step).replaceAll(/\.\w+\(.*?\)+(?=[,\]])/g, ""))

describe("Identity removal", () => {
  it("removes identity() unless it has a label", () => {
    expect(steps("g.V().identity().out()")).toEqual(["GraphStep(vertex,[])", "VertexStep(OUT,vertex)"])
    expect(steps("g.V().identity().as('a').select('a')")).toHaveLength(3)
    expect(steps("g.withoutStrategies(IdentityRemovalStrategy).V().identity()")).toHaveLength(2)
  })
})

describe("A step to edges before a step to their vertices", () => {
  it("is replaced by a step to adjacent vertices if no path shows the edges", () => {
    expect(steps('g.V().outE("knows").inV()')[1]).toBe("VertexStep(OUT,[knows],vertex)")
    expect(steps("g.V().inE().outV()")[1]).toBe("VertexStep(IN,vertex)")
    expect(steps("g.V().bothE().otherV()")[1]).toBe("VertexStep(BOTH,vertex)")
    expect(steps('g.V().outE().inV().as("a").select("a")')[1]).toBe("VertexStep(OUT,vertex)@[a]")
  })

  it("stays if the edges are labelled or in a path, or if the second step returns to the first vertices", () => {
    expect(steps('g.V().outE().as("e").inV()')).toHaveLength(3)
    expect(steps("g.V().outE().inV().path()")).toHaveLength(4)
    expect(steps("g.V().outE().outV()")).toHaveLength(3)
    expect(results(toy(), "g.V(1).bothE().otherV().values('name')")).toEqual(["lop", "vadas", "josh"])
  })
})

describe("A hasLabel() after a step to edges", () => {
  it("becomes the label of the step, which then reads only these edges", () => {
    expect(steps('g.V().outE().hasLabel("knows")')).toEqual(["GraphStep(vertex,[])", "VertexStep(OUT,[knows],edge)"])
    expect(steps('g.V().outE().has(T.label, "knows").has("weight", 1)')).toEqual([
      "GraphStep(vertex,[])",
      "VertexStep(OUT,[knows],edge)",
      "HasStep([weight])"
    ])
    expect(steps('g.V().outE().hasLabel("knows").inV()')[1]).toBe("VertexStep(OUT,[knows],vertex)")
    expect(steps('g.V().outE().as("a").hasLabel("knows").as("b").select("a", "b")')[1]).toBe(
      "VertexStep(OUT,[knows],edge)@[b, a]"
    )
  })

  it("stays after a step to vertices, and without InlineFilterStrategy", () => {
    expect(steps('g.V().out().hasLabel("person")')).toHaveLength(3)
    expect(steps('g.withoutStrategies(InlineFilterStrategy).V().outE().hasLabel("knows")')).toHaveLength(3)
  })
})

describe("Inlining of filters", () => {
  it("joins has(), and(has(..)) and filter(has(..)) to one has()", () => {
    expect(steps('g.V().has("name", "a").filter(has("age", 1)).and(has("x", 1), has("y", 2))')).toEqual([
      "GraphStep(vertex,[])",
      "HasStep([name, age, x, y])"
    ])
    expect(steps('g.V().or(has("age", 1), has("age", 2))')[1]).toMatch(/^HasStep\(\[age/)
    expect(steps('g.V().has("age")')[1]).toBe("HasPropertyStep(age)")
    expect(steps('g.V().not(values("age"))')[1]).toBe("HasPropertyStep(age)")
  })

  it("keeps filters with labels, and filters with children that are not filters", () => {
    expect(steps("g.V().filter(out())")[1]).toBe("TraversalFilterStep([VertexStep(OUT,vertex)])")
    expect(steps('g.V().or(has("age", 1), has("name", "x"))')[1]).toMatch(/^OrStep/)
    expect(steps('g.V().filter(has("name", "marko").limit(1))')[1]).toMatch(/^TraversalFilterStep/)
    expect(steps('g.V().filter(has("name", "marko")).as("a").select("a")')[1]).toBe("HasStep([name])@[a]")
  })
})

describe("A has() with ids after V()", () => {
  it("becomes a lookup by id", () => {
    expect(steps("g.V().hasId(1, 2)")).toHaveLength(1)
    expect(steps("g.V().has(T.id, 1).hasLabel('person')")).toHaveLength(2)
    expect(steps("g.V().hasId(P.neq(1))")).toHaveLength(2)
    expect(results(toy(), "g.V().hasId(4, 1, 4)")).toEqual(["v[4]", "v[1]"])
    expect(results(toy(), "g.V().hasId(1).hasId(2)")).toEqual([])
  })
})

describe("Merging barriers", () => {
  it("are inserted before a second step to adjacent vertices if they are not observable", () => {
    expect(steps("g.V().out().out().out().count()").filter((step) => step.startsWith("NoOpBarrierStep"))).toHaveLength(
      2
    )
    expect(steps("g.V(1).out().out().dedup().values('name')")).toContain("NoOpBarrierStep")
  })

  it("are not inserted if order, paths or a limit would make them observable", () => {
    expect(steps("g.V().out().out().values('name')")).not.toContain("NoOpBarrierStep")
    expect(steps("g.V().out().out().limit(1).count()")).not.toContain("NoOpBarrierStep")
    expect(steps("g.V().as('a').out().out().where(P.neq('a')).count()")).not.toContain("NoOpBarrierStep")
    expect(steps("g.withoutStrategies(LazyBarrierStrategy).V().out().out().count()")).not.toContain("NoOpBarrierStep")
  })

  it("are inserted where TinkerPop inserts them if effects make them observable", () => {
    const seen = "values('name').order().fold()"
    expect(results(toy(), `g.V().local(__.aggregate("x")).out().where(P.within("x")).${seen}`)).toEqual([
      "[josh, lop, lop, lop, ripple, vadas]"
    ])
    const lazily = `g.withoutStrategies(LazyBarrierStrategy).V().local(__.aggregate("x")).out().where(P.within("x")).${seen}`
    expect(results(toy(), lazily)).toEqual(["[lop, lop]"])
    const barriers = (script: string) => steps(script).filter((step) => step.startsWith("NoOpBarrierStep")).length
    expect(barriers("g.V().out().addV()")).toBe(1)
    expect(barriers("g.V().outE().property('a', 1)")).toBe(0)
    expect(barriers("g.V(1).out().addV()")).toBe(0)
    expect(barriers("g.V(1).out().out().addV()")).toBe(1)
    expect(barriers("g.V().as('a').out().out().addE('x').to('a')")).toBe(0)
    expect(barriers("g.V().as('a').out().as('b').select('a').addV()")).toBe(1)
    expect(barriers("g.V().out().count().addV()")).toBe(0)
    expect(barriers("g.V().out().properties().drop()")).toBe(0)
  })

  it("do not merge traversers before an optional() with effects", () => {
    const script = `g.V().out().both().optional(__.out().local(__.aggregate("x"))).cap("x").unfold().count()`
    expect(results(toy(), script)).toEqual(["26"])
  })
})
