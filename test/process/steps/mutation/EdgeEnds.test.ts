import { describe, expect, it } from "vitest"
import { toyGraph } from "../../../../src/storage/memory/ToyGraphs.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { LaterGraph } from "../../../storage/LaterGraph.ts"
import { run, runLater } from "../../run.ts"

/** Traversals that add an edge, with the vertices that it connects. */
const edges: ReadonlyArray<readonly [script: string, outV: string, inV: string]> = [
  // The text of from() and to() names an entry of the current map, a side effect or a step, in this order.
  ["g.inject([src: 1, dst: 2]).addE('e').from('src').to('dst')", "1", "2"],
  ["g.V(1).project('out', 'in').by().by(__.out('created')).addE('e').from('out').to('in')", "1", "3"],
  ["g.V(2).as('a').V(3).project('a').by(id).addE('e').from('a').to(__.V(4))", "3", "4"],
  ["g.withSideEffect('a', 1).V(2).as('a').V(3).addE('e').from('a')", "1", "3"],
  ["g.V(1).as('a').V(2).as('a').V(3).addE('e').from('a')", "2", "3"],
  ["g.V(1).id().as('a').V(2).addE('e').from('a')", "1", "2"],
  // The text that a traversal returns is an id.
  ["g.inject([src: '1', dst: '2']).addE('e').from(__.select('src')).to(__.select('dst'))", "1", "2"],
  ["g.V(2).as('1').V(3).addE('e').from(__.constant('1'))", "1", "3"],
  ["g.V(2).as('a').V(3).addE('e').from(__.constant(1))", "1", "3"]
]

describe("from() and to() of addE()", () => {
  it.each(edges)("find the ends as select() does: %s", async (script, outV, inV) => {
    const ends = `${script}.project('out', 'in').by(__.outV().id()).by(__.inV().id())`
    const expected = [`{out=${outV}, in=${inV}}`]
    expect(run(toyGraph("modern"), ends, { as: text })).toEqual(expected)
    expect(await runLater(new LaterGraph(toyGraph("modern")), ends, { as: text })).toEqual(expected)
  })

  it("fail where the object is no vertex, also if a step has the text as its label", () => {
    for (const script of [
      "g.V(2).as('a').V(3).addE('e').from(__.constant('a'))",
      "g.V(2).as('a').V(1).aggregate('a').V(3).addE('e').from('a')",
      "g.V(2).as('a').V(3).project('a').by(__.constant(null)).addE('e').from('a').to(__.V(4))",
      "g.V(1).outE('knows').as('a').V(3).addE('e').from('a')",
      "g.V(2).as('a').V(3).addE('e').from('b')"
    ]) {
      expect(() => run(toyGraph("modern"), script), script).toThrow(/must resolve to a Vertex|cannot be used/)
    }
  })
})
