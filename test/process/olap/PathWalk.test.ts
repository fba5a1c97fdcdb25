import * as fc from "effect/FastCheck"
import { expect, it } from "vitest"
import { SLICE_VISITS } from "../../../src/process/olap/Adjacency.ts"
import { type PathEdge, PathWalk } from "../../../src/process/olap/PathWalk.ts"
import { BigMap } from "../../../src/structure/containers/BigMap.ts"

/** The last edges of paths to each vertex, from pairs of vertices. Edges between vertices of the same level are flat. */
const edgesOf = (
  pairs: Iterable<readonly [from: number, to: number]>,
  level: (vertex: number) => number = () => 0
): BigMap<number, Array<PathEdge>> => {
  const before = new BigMap<number, Array<PathEdge>>()
  let edge = 0
  for (const [from, to] of pairs) {
    if (!before.has(to)) before.set(to, [])
    before.get(to)!.push({ vertex: from, edge: edge++, isFlat: level(from) === level(to) })
  }
  return before
}

/** The edges of each path, in the order in which the walk finds them, and the number of slices. */
const walked = (source: number, target: number, before: BigMap<number, Array<PathEdge>>) => {
  const paths: Array<ReadonlyArray<number>> = []
  let slices = 0
  for (const path of new PathWalk(source, target, before).paths()) {
    if (path === null) slices++
    else paths.push(path.edges)
  }
  return { paths, slices }
}

/** All paths without a repeated vertex, by trying all. */
const tried = (source: number, target: number, before: BigMap<number, Array<PathEdge>>) => {
  const found: Array<ReadonlyArray<number>> = []
  const visit = (vertex: number, vertices: ReadonlyArray<number>, edges: ReadonlyArray<number>): void => {
    if (vertex === source) found.push(edges)
    else
      for (const step of before.get(vertex) ?? []) {
        if (!vertices.includes(step.vertex)) visit(step.vertex, [...vertices, step.vertex], [step.edge, ...edges])
      }
  }
  visit(target, [target], [])
  return found
}

it("A walk along a long chain of flat edges visits each vertex few times", () => {
  const size = 1000
  const chain = Array.from({ length: size - 1 }, (_, at): ReadonlyArray<readonly [number, number]> => {
    return at === 0
      ? [[0, 1]]
      : [
          [at, at + 1],
          [at + 1, at]
        ]
  })
  const before = edgesOf(chain.flat())
  let slices = 0
  for (let target = 1; target < size; target++) {
    const found = walked(0, target, before)
    expect(found.paths).toHaveLength(1)
    slices += found.slices
  }
  // Each walk may take about five visits of each vertex.
  expect(slices).toBeLessThan((5 * size * size) / SLICE_VISITS)
})

it("A walk finds the paths that trying all finds, in the same order", () => {
  const vertex = fc.integer({ min: 0, max: 7 })
  const level = (each: number): number => (each === 0 ? 0 : Math.floor(each / 4))
  const pairs = fc.array(fc.tuple(vertex, vertex), { maxLength: 24 })
  fc.assert(
    fc.property(pairs, vertex, (all, target) => {
      // Edges lead away from the source, to the same level or a higher one.
      const before = edgesOf(
        all.filter(([from, to]) => to !== 0 && from !== to && level(from) <= level(to)),
        level
      )
      expect(walked(0, target, before).paths).toEqual(tried(0, target, before))
    }),
    { numRuns: 500 }
  )
})
