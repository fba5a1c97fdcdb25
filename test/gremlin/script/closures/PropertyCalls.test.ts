import { describe, expect, it } from "vitest"
import { Detached } from "../../../../src/structure/elements/Element.ts"
import { resultOf } from "../../FakeHost.ts"

describe("A property of an element", () => {
  const run = (script: string) => resultOf(`v = g.V(1).next(); ${script}`, [named])
  const source = new Detached()
  const named = source.addVertex(1, "person")
  source.addVertexProperty(named, 7, "name", "marko", null)

  it("has the methods of an Optional", () => {
    expect(
      run("found = []; v.property('name').ifPresent { found << it }; v.property('x').ifPresent { found << it }; found")
    ).toEqual(["marko"])
    expect(run("[v.property('name').orElseGet { 'none' }, v.property('x').orElseGet { 'none' }]")).toEqual([
      "marko",
      "none"
    ])
    expect(run("v.property('name').orElseThrow { new IllegalStateException('none') }")).toBe("marko")
    const thrown =
      "try { v.property('x').orElseThrow { new IllegalStateException('none') } } catch (IllegalStateException e) { e.message }"
    expect(run(thrown)).toBe("none")
    expect(run("VertexProperty p = v.property('x'); [p instanceof VertexProperty, p.isPresent()]")).toEqual([
      true,
      false
    ])
    expect(run("((VertexProperty) v.property('x')).isPresent()")).toBe(false)
  })
})

describe("An Optional", () => {
  it("throws the exception of a closure if it is empty", () => {
    const thrown =
      "try { Optional.empty().orElseThrow { new IllegalStateException('a') } } catch (IllegalStateException e) { e.message }"
    expect(resultOf(thrown)).toBe("a")
    const same =
      "x = new Exception(null, new Error('b')); try { Optional.empty().orElseThrow { x } } catch (e) { [e.is(x), e.message, e.cause.message] }"
    expect(resultOf(same)).toEqual([true, null, "b"])
    expect(() => resultOf("Optional.empty().orElseThrow { new IllegalStateException('a') }")).toThrow(
      "IllegalStateException: a"
    )
    expect(resultOf("Optional.of(1).orElseThrow { new IllegalStateException('a') }")).toBe(1)
  })
})
