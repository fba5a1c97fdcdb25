import { describe, expect, it } from "vitest"
import { text } from "../../../src/structure/texts/Text.ts"
import { frozen } from "../../structure/Frozen.ts"
import { bytecodeOf, results, run, toy } from "../run.ts"

const answers = (script: string) => results(toy(), script)

/** A frozen list that belongs to the plan. */
const variables = () => new Map<string, unknown>([["x", frozen([1, 2])]])
const given = (script: string): Array<string> => {
  const bytecode = bytecodeOf(script)
  const first = run(toy(), bytecode, { variables: variables(), as: text })
  expect(run(toy(), bytecode, { variables: variables(), as: text }), script).toEqual(first)
  return first as Array<string>
}

describe("A sack", () => {
  it("does not change the lists from which it was made", () => {
    expect(given("g.inject(x).sack(assign).by().sack(addAll).by(constant([3])).sack()")).toEqual(["[1, 2, 3]"])
    expect(given("g.inject(x).as('a').sack(assign).by().sack(addAll).by(constant([3])).select('a')")).toEqual([
      "[1, 2]"
    ])
    expect(given("g.withSack(x).inject(5).sack(addAll).by(constant([3])).sack()")).toEqual(["[1, 2, 3]"])
    expect(given("g.withSack(1).inject(5).sack(assign).by(constant(x)).sack(addAll).by(constant(x)).sack()")).toEqual([
      "[1, 2, 1, 2]"
    ])
  })

  it("can be added to itself", () => {
    expect(given("g.inject(x).sack(assign).by().sack(addAll).by().sack()")).toEqual(["[1, 2, 1, 2]"])
    expect(given("g.inject(x).sack(assign).by().sack(addAll).by(sack()).sack(addAll).by(sack()).sack()")).toEqual([
      "[1, 2, 1, 2, 1, 2, 1, 2]"
    ])
  })

  it("merges with the sacks of equal traversers without changing them", () => {
    const lists = answers("g.withSack([1, 2], addAll).V().both().barrier().dedup().order().by(id).sack()")
    expect(lists).toEqual([
      "[1, 2, 1, 2, 1, 2]",
      "[1, 2]",
      "[1, 2, 1, 2, 1, 2]",
      "[1, 2, 1, 2, 1, 2]",
      "[1, 2]",
      "[1, 2]"
    ])
    expect(given("g.withSack(x, addAll).V().both().barrier().sack().count(local).max()")).toEqual(["6"])
  })

  it("is not shared: additions of one traverser are invisible to others", () => {
    expect(answers("g.withSack([]).V(1).both().sack(addAll).by(values('name').fold()).sack()")).toEqual([
      "[lop]",
      "[vadas]",
      "[josh]"
    ])
    expect(
      answers("g.withSack([1]).inject(1).sack(addAll).by(constant([2])).sack().as('a').sack(addAll).select('a')")
    ).toEqual(["[1, 2]"])
  })
})

describe("The state of fold()", () => {
  it("does not change the seed", () => {
    expect(given("g.inject(x).fold(x, addAll)")).toHaveLength(1)
    expect(given("g.inject(x, x).fold(x, addAll)")).toEqual(given("g.inject(x, x).fold([1, 2], addAll)"))
  })
})

describe("A side effect", () => {
  it("does not change its initial collection", () => {
    expect(given("g.withSideEffect('a', x).inject(3).aggregate('a').cap('a')")).toEqual(["[1, 2, 3]"])
    expect(given("g.withSideEffect('a', x, addAll).inject(x).aggregate('a').cap('a')")).toHaveLength(1)
    expect(given("g.withSideEffect('a', x).inject(3).store('a').by(constant(x)).cap('a')")).toEqual(["[1, 2, [1, 2]]"])
  })

  it("grows while traversers hold it, and does not change after it was returned as a result", () => {
    expect(answers("g.V().local(aggregate('x')).select('x').count(local)")).toEqual(Array(6).fill("6"))
    expect(answers("g.V().local(aggregate('x')).map(select('x').count(local))")).toEqual(["1", "2", "3", "4", "5", "6"])
    const values = run(toy(), "g.V().store('x').by('name').select('x')")
    expect(values.map((value) => text(value).split(", ").length)).toEqual([1, 2, 3, 4, 5, 6])
  })

  it("gains its previous content when it is added to itself", () => {
    expect(answers("g.inject(1).store('x').cap('x').store('x').cap('x')")).toEqual(["{1=1, {1=1}=1}"])
    expect(answers("g.withSideEffect('x', []).inject(1, 2).store('x').by(select('x')).cap('x')")).toEqual([
      "[[], [[]]]"
    ])
    expect(
      answers("g.withSideEffect('x', [0]).inject(1).aggregate('x').by(project('in').by(select('x'))).cap('x')")
    ).toEqual(["[0, {in=[0]}]"])
    expect(
      answers("g.withSideEffect('x', [0], addAll).inject(1).store('x').by(select('x').fold()).cap('x')")
    ).toHaveLength(1)
    expect(answers("g.inject(1).groupCount('m').groupCount('m').by(select('m')).cap('m')")).toEqual(["{1=1, {1=1}=1}"])
    expect(answers("g.inject(1).group('m').group('m').by(select('m')).cap('m')")).toHaveLength(1)
    expect(answers("g.inject(1).tree('t').map(select('t')).tree('t').cap('t')")).toHaveLength(1)
    expect(answers("g.inject(1).tree('t').map(cap('t')).tree('t').by().cap('t')")).toHaveLength(1)
  })

  it("is not changed by a sack that was made from it", () => {
    const script = "g.withSideEffect('x', [1, 2]).V().sack(assign).by(select('x')).sack(addAll).by(constant([3]))"
    expect(answers(`${script}.cap('x')`)).toEqual(["[1, 2]"])
    expect(answers(`${script}.limit(1).sack()`)).toEqual(["[1, 2, 3]"])
  })
})

describe("A side effect that is no collection", () => {
  it("refuses aggregate(), also when no traverser has a value for it", () => {
    for (const step of ["aggregate('x')", "aggregate('x').by('none')", "local(aggregate('x').by('none'))"]) {
      for (const value of ["1", "[a: 1]"]) {
        const script = `g.withSideEffect('x', ${value}).V(1).${step}`
        expect(() => answers(script), script).toThrow("The side effect x is not a collection")
      }
    }
    expect(answers("g.withSideEffect('x', 1).V(99).aggregate('x').cap('x')")).toEqual(["1"])
    expect(answers("g.withSideEffect('x', 1, sum).V(1).aggregate('x').by('none').cap('x')")).toEqual(["1"])
  })
})

describe("The map of group('x') and groupCount('x')", () => {
  it("lets aggregate('x') pass only traversers that have no value for it", () => {
    for (const step of ["group", "groupCount"]) {
      expect(answers(`g.V(1).${step}('x').aggregate('x').by('none').id()`)).toEqual(["1"])
      expect(answers(`g.V(1).${step}('x').sideEffect(select('x')).aggregate('x').by('none').id()`)).toEqual(["1"])
      expect(() => answers(`g.V(1).${step}('x').aggregate('x').by('name')`)).toThrow("is not a collection")
    }
  })
})

describe("cap() of several side effects", () => {
  it("leaves out the keys that name no side effect", () => {
    expect(answers("g.V(1).aggregate('x').cap('y', 'x')")).toEqual(["{x={v[1]=1}}"])
    expect(answers("g.V(1).cap('y', 'z')")).toEqual(["{}"])
    expect(() => answers("g.V(1).cap('y')")).toThrow("does not exist")
  })
})
