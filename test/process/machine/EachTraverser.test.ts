import { describe, expect, it } from "vitest"
import { servicesOf } from "../../../src/process/calls/Registry.ts"
import { openEnvironment } from "../../../src/process/machine/TraversalRun.ts"
import { toyGraph } from "../../../src/storage/memory/ToyGraphs.ts"
import { LaterGraph } from "../../storage/LaterGraph.ts"
import { run, runLater, toy } from "../run.ts"

const collected = (steps: string) => run(toy(), `g.${steps}.cap('x').count(local)`)
const added = (steps: string) => run(toyGraph("modern"), `g.${steps}.fold().V().hasLabel('z').count()`)

describe("a child that acts, over equal traversers that have met", () => {
  it.each([
    ["V().both().both().sideEffect(aggregate('x'))", 30n],
    ["V().repeat(both()).times(2).sideEffect(aggregate('x'))", 30n],
    ["V().repeat(both()).times(3).sideEffect(aggregate('x'))", 72n],
    ["V().repeat(both()).until(loops().is(3)).sideEffect(aggregate('x'))", 72n],
    ["V().repeat(both()).until(loops().is(3)).sideEffect(groupCount('x').by(id))", 4n],
    ["V().both().barrier().sideEffect(aggregate('x'))", 12n],
    ["V().both().barrier().sideEffect(out().aggregate('x'))", 16n],
    ["V().both().barrier().map(aggregate('x'))", 12n],
    ["V().both().barrier().flatMap(aggregate('x'))", 12n],
    ["V().both().barrier().coalesce(aggregate('x'))", 12n],
    ["V().both().barrier().local(aggregate('x'))", 12n],
    ["V().both().barrier().optional(aggregate('x'))", 12n],
    ["V().both().barrier().filter(aggregate('x'))", 12n],
    ["V().both().barrier().not(aggregate('x'))", 12n],
    ["V().both().barrier().choose(aggregate('x'), identity())", 12n],
    ["V().both().barrier().project('a').by(aggregate('x'))", 12n],
    ["V().both().barrier().order().by(aggregate('x'))", 12n],
    ["V().both().barrier().group().by(aggregate('x'))", 12n],
    ["V().both().barrier().group().by(id).by(aggregate('x').fold())", 12n],
    ["V().repeat(both()).emit(aggregate('x')).times(2)", 12n],
    ["V().emit(aggregate('x')).repeat(both()).times(2)", 18n],
    ["V().repeat(both()).until(aggregate('x').loops().is(2))", 42n],
    ["V().repeat(repeat(both()).times(1)).until(aggregate('x').loops().is(2))", 42n]
  ])("runs for each of them: %s", (steps, count) => {
    const given = steps.includes("groupCount") ? 6n : count
    expect(collected(steps)).toEqual([given])
  })

  it("also counts a bulk that is larger than a batch", () => {
    expect(collected("V().repeat(both()).times(7).sideEffect(aggregate('x'))")).toEqual(
      run(toy(), "g.V().repeat(both()).times(7).count()")
    )
  })

  it("draws for each of them", () => {
    const different = (draw: string) =>
      run(toy(), `g.inject(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1).barrier().map(${draw}).dedup().count()`)[0]
    expect(different("V().sample(1)")).toBeGreaterThan(1n)
    expect(different("V().order().by(shuffle).limit(1)")).toBeGreaterThan(1n)
  })

  it("changes the graph for each of them", () => {
    expect(added("V().both().barrier().sideEffect(addV('z'))")).toEqual([12n])
    expect(added("V().both().barrier().map(addV('z'))")).toEqual([12n])
  })

  it("does so with a store that answers later", async () => {
    const traversal = "g.V().repeat(both()).times(3).sideEffect(out().aggregate('x')).cap('x').count(local)"
    const later = await runLater(new LaterGraph(toyGraph("modern")), traversal)
    expect(later).toEqual(run(toy(), traversal))
  })
})

describe("a step of the main line, over equal traversers that have met", () => {
  it("changes the graph once for all of them, as in TinkerPop", () => {
    expect(added("V().both().addV('z')")).toEqual([6n])
    expect(added("V().repeat(both()).times(2).addV('z')")).toEqual([6n])
    expect(added("V().both().barrier().union(addV('z'))")).toEqual([6n])
    expect(added("V().both().barrier().choose(identity(), addV('z'))")).toEqual([6n])
    expect(added("V().both().barrier().group('x').by(id).by(addV('z').count())")).toEqual([6n])
  })

  it("calls a service once for all of them", () => {
    let calls = 0
    const each = (value: unknown) => {
      calls++
      return [value]
    }
    const services = servicesOf([{ name: "example.each", parameters: {}, each }])
    const environment = { ...openEnvironment, services }
    expect(run(toy(), "g.V().both().barrier().call('example.each')", { environment })).toHaveLength(12)
    expect(calls).toBe(6)
    run(toy(), "g.V().both().barrier().sideEffect(call('example.each'))", { environment })
    expect(calls).toBe(18)
  })
})

describe("a child that does not act", () => {
  it("runs once for equal traversers, also if it reads a side effect", () => {
    const traversal = "g.withSideEffect('x', 1).V().repeat(both()).times(40).where(cap('x').is(1)).count()"
    expect(run(toy(), traversal, { mostCalls: 2000 })).toHaveLength(1)
  })

  it.each([
    ["coalesce(values('name'), fail('no'))"],
    ["coalesce(values('name').timeLimit(60000), values('age'))"],
    ["filter(timeLimit(60000))"]
  ])("runs once for equal traversers, as its effect is the same for any number of them: %s", (step) => {
    const walk = "g.V().repeat(both()).times(40)"
    expect(run(toy(), `${walk}.${step}.count()`, { mostCalls: 2000 })).toEqual(run(toy(), `${walk}.count()`))
  })
})
