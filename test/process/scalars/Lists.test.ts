import { describe, expect, it } from "vitest"
import { TraversalError } from "../../../src/process/language/Errors.ts"
import * as Lists from "../../../src/process/scalars/Lists.ts"
import { runWhole, type Task } from "../../../src/scheduling/Task.ts"
import { TimeSlice } from "../../../src/scheduling/TimeSlice.ts"
import { BulkSet, GremlinMap, type GremlinSet } from "../../../src/structure/collections/Collections.ts"
import { Path } from "../../../src/structure/elements/Path.ts"

const stepOf =
  <A extends ReadonlyArray<unknown>, R>(step: (slice: TimeSlice, ...given: A) => Task<R>) =>
  (...given: A): R =>
    runWhole(step(new TimeSlice(), ...given))

const combine = stepOf(Lists.combine)
const conjoin = stepOf(Lists.conjoin)
const difference = stepOf(Lists.difference)
const disjunct = stepOf(Lists.disjunct)
const intersect = stepOf(Lists.intersect)
const merge = stepOf(Lists.merge)
const reverse = stepOf(Lists.reverse)
const product = stepOf(Lists.product)
const operations = { combine, product, difference, disjunct, intersect, merge }

describe("List functions", () => {
  const left = ["a", null, "b"]

  it("concatenate lists with repetitions", () => {
    expect(combine(left, ["a", null, "c"])).toEqual(["a", null, "b", "a", null, "c"])
    expect(combine(new Path(["marko"], [new Set()]), [])).toEqual(["marko"])
  })

  it("pair each member of one list with each of the other", () => {
    expect(product([3, "three"], ["five", 7])).toEqual([
      [3, "five"],
      [3, 7],
      ["three", "five"],
      ["three", 7]
    ])
  })

  it("return the difference, the intersection and the symmetric difference as sets", () => {
    expect([...difference(left, ["a", "c"])]).toEqual([null, "b"])
    expect([...difference([3, 3, "three"], ["five", "three", 7])]).toEqual([3])
    expect([...disjunct(left, ["a", null, "c"])]).toEqual(["b", "c"])
    expect([...disjunct([], ["a", "a"])]).toEqual(["a"])
    expect([...intersect(left, ["a", null, "c"])]).toEqual(["a", null])
    expect([...(merge(left, ["a", "c"]) as GremlinSet)]).toEqual(["a", null, "b", "c"])
    const bulk = new BulkSet()
    bulk.add(27, 2)
    expect([...intersect(bulk, [27])]).toEqual([27])
  })

  it("distinguish members of different types", () => {
    expect([...intersect([1], [1n])]).toEqual([])
    expect((merge([1], [1n]) as GremlinSet).size).toBe(2)
  })

  it("merge maps with precedence of the operand's entries", () => {
    const merged = merge(
      new GremlinMap([
        ["a", 1],
        ["b", 2]
      ]),
      new GremlinMap([["a", 3]])
    )
    expect([...(merged as GremlinMap)]).toEqual([
      ["a", 3],
      ["b", 2]
    ])
  })

  it.each(Object.entries(operations))("report the step and the type of a wrong input or argument (%s)", (name, run) => {
    expect(() => run(null, [1])).toThrow(TraversalError)
    expect(() => run(null, [1])).toThrow(`Incoming traverser for ${name} step can't be null.`)
    expect(() => run("marko", [1])).toThrow(
      `${name} step can only take an array or an Iterable type for incoming traversers, encountered String`
    )
    expect(() => run([1], 2)).toThrow(
      `${name} step can only take an array or an Iterable as an argument, encountered Integer`
    )
    expect(() => run([1], null)).toThrow(`Argument provided for ${name} step can't be null.`)
    expect(() => run([1], null, true)).toThrow(
      `Provided traversal argument for ${name} step must yield an iterable type, not null`
    )
    expect(() => run([1], 2, true)).toThrow(
      `Provided traversal argument for ${name} step must yield an iterable type, encountered Integer`
    )
  })

  it("refuse to merge a map with a list in either order", () => {
    const map = new GremlinMap([["a", 1]])
    expect(() => merge(map, [1])).toThrow(
      "merge step expected provided argument to evaluate to a Map, encountered ArrayList"
    )
    expect(() => merge([1], map)).toThrow("merge step type mismatch: expected argument to be Iterable but got Map")
    expect(() => merge([1], map, true)).toThrow("must yield an iterable type, encountered LinkedHashMap")
  })
})

describe("conjoin", () => {
  it("joins the texts of the members except nulls", () => {
    expect(conjoin([27, "a", null], ";")).toBe("27;a")
    expect(conjoin(["marko"], "-")).toBe("marko")
    expect(conjoin([], ";")).toBe("")
    expect(conjoin([null], ";")).toBe(null)
    expect(conjoin(["", ""], ";")).toBe(";")
    expect(conjoin([""], "")).toBe(null)
    expect(conjoin(new Path(["MARKO", "LOP"], [new Set(), new Set()]), "MARKO")).toBe("MARKOMARKOLOP")
  })

  it("refuses values that are not lists", () => {
    expect(() => conjoin(null, ";")).toThrow("Incoming traverser for conjoin step can't be null")
    expect(() => conjoin("marko", ";")).toThrow(
      "conjoin step can only take an array or an Iterable type for incoming traversers, encountered String"
    )
  })
})

describe("reverse", () => {
  it("reverses strings and lists, and keeps other values", () => {
    expect(reverse("test one")).toBe("eno tset")
    expect(reverse("a😀")).toBe("😀a")
    expect(reverse([3, "three"])).toEqual(["three", 3])
    expect(reverse(new Path(["marko", "lop"], [new Set(), new Set()]))).toEqual(["lop", "marko"])
    expect(reverse(29)).toBe(29)
    expect(reverse(null)).toBe(null)
    const list = [1, 2]
    reverse(list)
    expect(list).toEqual([1, 2])
  })
})
