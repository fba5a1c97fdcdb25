import { describe, expect, it } from "vitest"
import { results, toy } from "../run.ts"

const given = (script: string): ReadonlyArray<string> => results(toy(), script)

describe("A source with the same strategy twice", () => {
  it("applies the one of the last call, and of two in one call the first", () => {
    const productive = (key: string) => `new ProductiveByStrategy(productiveKeys: ['${key}'])`
    const grouped = "V(3).group().by('age').by('x')"
    const [age, x] = [productive("age"), productive("x")]
    expect(given(`g.withStrategies(${age}).withStrategies(${x}).${grouped}`)).toEqual(["{null=[]}"])
    expect(given(`g.withStrategies(${x}).withStrategies(${age}).${grouped}`)).toEqual(["{}"])
    expect(given(`g.withStrategies(${age}, ${x}).${grouped}`)).toEqual(["{}"])
    expect(given("g.withStrategies(ReadOnlyStrategy, ReadOnlyStrategy).V().count()")).toEqual(["6"])
  })

  it("is refused if the strategy filters the graph", () => {
    const [software, person] = ["software", "person"].map(
      (label) => `new SubgraphStrategy(vertices: __.hasLabel('${label}'))`
    )
    const message = "two strategies of the class SubgraphStrategy"
    expect(() => given(`g.withStrategies(${software}).withStrategies(${person}).V()`)).toThrow(message)
    expect(() => given(`g.withStrategies(${software}, ${person}).V()`)).toThrow(message)
    const partition = "new PartitionStrategy(partitionKey: 'name', readPartitions: ['josh'])"
    expect(() => given(`g.withStrategies(${partition}).withStrategies(${partition}).V()`)).toThrow(
      "two strategies of the class PartitionStrategy"
    )
  })

  it("applies a strategy that was removed and added again, in that order", () => {
    const software = "withStrategies(new SubgraphStrategy(vertices: __.hasLabel('software')))"
    expect(given(`g.withoutStrategies(SubgraphStrategy).${software}.V().count()`)).toEqual(["2"])
    expect(given(`g.${software}.withoutStrategies(SubgraphStrategy).V().count()`)).toEqual(["6"])
    expect(given(`g.${software}.withoutStrategies(SubgraphStrategy).${software}.V().count()`)).toEqual(["2"])
  })
})

describe("A source with null in the place of a function", () => {
  it("has no splitter, merger or reducer", () => {
    const walk = "V().out().barrier().sack()"
    expect(given(`g.withSack(1, null, Operator.sum).${walk}`)).toEqual(given(`g.withSack(1, Operator.sum).${walk}`))
    expect(given(`g.withSack(1, null, sum).${walk}`)).toEqual(given(`g.withSack(1, Operator.sum).${walk}`))
    expect(given(`g.withSack(1, null, null).${walk}`)).toEqual(given(`g.withSack(1).${walk}`))
    expect(given("g.withSideEffect('a', [1], null).V(1).aggregate('a').cap('a')")).toEqual(["[1, v[1]]"])
  })
})

describe("A source with the same side effect twice", () => {
  it("has the value of the last declaration, and the operator of the last one that has an operator", () => {
    expect(given("g.withSideEffect('a', 1).withSideEffect('a', 2).V(1).select('a')")).toEqual(["2"])
    expect(given("g.withSideEffect('a', [1]).withSideEffect('a', [2]).V(1).aggregate('a').by(T.id).cap('a')")).toEqual([
      "[2, 1]"
    ])
    const summed = "V(1).aggregate('a').by(T.id).cap('a')"
    expect(given(`g.withSideEffect('a', 5).withSideEffect('a', 2, Operator.sum).${summed}`)).toEqual(["3"])
    expect(given(`g.withSideEffect('a', 5, Operator.sum).withSideEffect('a', 2).${summed}`)).toEqual(["3"])
  })
})

describe("withBulk(true)", () => {
  it("does not take withBulk(false) back", () => {
    expect(given("g.withBulk(false).withBulk(true).V(1, 1).barrier().count()")).toEqual(["1"])
    expect(given("g.withBulk(true).V(1, 1).barrier().count()")).toEqual(["2"])
  })
})
