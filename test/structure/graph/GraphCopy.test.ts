import { expect, it } from "vitest"
import { Detached } from "../../../src/structure/elements/Element.ts"
import { GraphCopy } from "../../../src/structure/graph/GraphCopy.ts"

it("A result of a copy does not grow, and is the same object until the copy grows", () => {
  const source = new Detached()
  const [a, b] = [source.addVertex(1, "a"), source.addVertex(2, "b")]
  const copy = new GraphCopy()
  copy.addVertex(a)
  const first = copy.result()
  copy.addVertex(a)
  expect(copy.result()).toBe(first)
  copy.addEdge(source.addEdge(3, "e", a, b))
  const second = copy.result()
  expect([first.vertices.length, first.edges.length]).toEqual([1, 0])
  expect([second.vertices.length, second.edges.length]).toEqual([2, 1])
  expect(second.edges[0]!.outVertex).toBe(second.vertices[0])
  expect(copy.result()).toBe(second)
})
