import { describe, expect, it } from "vitest"
import { text } from "../../../src/structure/texts/Text.ts"
import { resultOf } from "../FakeHost.ts"

/** Expects the values of scripts, whose traversals give 1. */
const expectAll = (cases: ReadonlyArray<readonly [script: string, value: string]>): void => {
  for (const [script, value] of cases) expect.soft(text(resultOf(script, [1])), script).toBe(value)
}

describe("An assignment with an operator", () => {
  it("reads its variable before it evaluates the right side", () => {
    expectAll([
      ["def x = 1; x += x++; x", "2"],
      ["x = 1; x += x++; x", "2"],
      ["int x = 1; x -= (x = 5); x", "-4"],
      ["def x = 1; def f = { x = 10; 1 }; x += f(); x", "2"],
      ["def x = 1; def f = { x = 10; g.V().next() }; x += f(); x", "2"],
      ["x = 1; def f = { x = 10; g.V().next() }; x += f(); x", "2"],
      ["def x = 'a'; x += x += 'b'; x", "aab"]
    ])
  })

  it("evaluates what has a property twice, and what has an element once", () => {
    expectAll([
      ["n = 0; m = [x: 1]; f = { n++; m }; f().x += 5; [n, m]", "[2, {x=6}]"],
      ["n = 0; m = [y: [x: 1]]; f = { n++; m }; f().y.x -= 5; [n, m]", "[2, {y={x=-4}}]"],
      ["n = 0; m = [x: null]; f = { n++; m }; f().x ?= 5; [n, m]", "[2, {x=5}]"],
      ["n = 0; f = { ++n }; x = 7; x ?= f(); def y = 8; y ?= f(); [x, y, n]", "[7, 8, 0]"],
      ["n = 0; f = { ++n }; m = [a: 7, b: [8]]; m.a ?= f(); m.b[0] ?= f(); [m, n]", "[{a=7, b=[8]}, 0]"],
      [
        "n = 0; f = { ++n }; m = [a: 7]; k = { m }; k().a ?= f(); m.c ?= f(); k().d ?= f(); [m, n]",
        "[{a=7, c=1, d=2}, 2]"
      ],
      ["int x = 3; x ?= 5L; int y = 0; y ?= 5L; [x, y, y.class.simpleName]", "[3, 5, Integer]"],
      ["n = 0; m = [x: 1]; f = { n++; g.V().next(); m }; f().x += g.V().next(); [n, m]", "[2, {x=2}]"],
      ["n = 0; m = [x: 1]; f = { n++; m }; f()['x'] += 5; [n, m]", "[1, {x=6}]"],
      ["n = 0; m = [x: 1]; f = { n++; m }; f().x++; [n, m]", "[2, {x=2}]"]
    ])
  })

  it("reads its element before it evaluates the right side", () => {
    expectAll([
      ["def l = [1]; l[0] += l[0]++; l", "[2]"],
      ["def l = [1]; def f = { l[0] = 10; g.V().next() }; l[0] += f(); l", "[2]"],
      ["def m = [a: 1]; m.a += (m.a = 5); m", "{a=6}"],
      ["def m = [:].withDefault { 7 }; m.b += (m.b = 1); m", "{b=8}"],
      ["def l = [1, 2]; def i = 0; l[i++] += 5; [l, i]", "[[6, 2], 1]"]
    ])
  })
})

describe("An assignment without an operator", () => {
  it("evaluates the right side before the place of the element", () => {
    expectAll([
      ["def l = [1, 2, 3]; def i = 0; l[i++] = l[i++] + 10; [l, i]", "[[1, 11, 3], 2]"],
      ["def l = [0, 0]; def i = 0; l[i] = ++i; l", "[0, 1]"],
      ["def l = [0, 0]; def i = 0; l[i] = g.V().next() + i++; l", "[0, 1]"],
      ["def l = [0, 0]; l[g.V().next()] = 7; l", "[0, 7]"],
      ["def m = [:]; def i = 0; m[i++] = i++; m", "{1=0}"],
      ["def r = []; def f = { r << it; [0] }; f('place')[0] = f('value'); r", "[value, place]"],
      ["def r = []; def f = { r << it; g.V().toList() }; f('place')[0] = f('value'); r", "[value, place]"]
    ])
  })

  it("into null raises a NullPointerException", () => {
    expectAll([
      ["def m = null; def n = 0; try { m.a = ++n } catch (NullPointerException e) { n }", "1"],
      ["def m = null; try { m[0] = 1 } catch (NullPointerException e) { 'none' }", "none"],
      ["def m = null; try { m.a += 1 } catch (NullPointerException e) { 'none' }", "none"]
    ])
  })
})

describe("x++ and x-- on an element", () => {
  const cases: ReadonlyArray<readonly [script: string, value: string]> = [
    ["n = 0; def f() { n++; 0 }; def x = [5, 7]; [x[f()]++, x, n]", "[5, [6, 7], 1]"],
    ["n = 0; def f() { n++; 0 }; def x = [5, 7]; [x[f()]--, --x[f()], ++x[f()], x, n]", "[5, 3, 4, [4, 7], 3]"],
    ["n = 0; m = [a: [1, 2]]; def b() { n++; m }; [b().a[1]++, b().a[0]--, m.a, n]", "[2, 1, [0, 3], 4]"],
    ["n = 0; m = [k: 1]; def f() { n++; m }; [f().k++, ++f().k, f().k--, m.k, n]", "[1, 3, 3, 2, 6]"],
    ["def l = [1, 2]; def i = 0; [l[i++]++, l, i]", "[1, [2, 2], 1]"],
    ["def m = [:].withDefault { 7 }; [m.a++, m.a]", "[7, 8]"],
    ["def m = [k: 1]; [m.with { k++ }, m.k]", "[1, 2]"],
    ["def l = [1, 2]; [l[g.V().next()]++, l]", "[2, [1, 3]]"]
  ]
  it.each(cases)(
    "give the value before, evaluate the index once, and as in Groovy what has it twice: %s",
    (script, value) => {
      expect(text(resultOf(script, [1]))).toBe(value)
    }
  )
})
