import { describe, expect, it } from "vitest"
import { Detached } from "../../../../src/structure/elements/Element.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { LaterGraph } from "../../../storage/LaterGraph.ts"
import { results, runLater, toy } from "../../run.ts"

/** Elements as drivers send them, with ids and labels, and without properties. */
const sent = new Detached()
const vadas = sent.addVertex(2, "person")
const gone = sent.addVertex(999, "person")
const knows = sent.addEdge(7, "knows", sent.addVertex(1, "person"), vadas)
const variables = new Map<string, unknown>([
  ["vadas", vadas],
  ["gone", gone],
  ["knows", knows]
])

describe("inject() of an element from a client", () => {
  it("returns the element of the graph, with its properties", () => {
    expect(results(toy(), "g.inject(vadas).values('name')", { variables })).toEqual(["vadas"])
    expect(results(toy(), "g.V(1).inject(vadas).values('name')", { variables })).toEqual(["vadas", "marko"])
    expect(results(toy(), "g.V(99).inject(vadas).values('name')", { variables })).toEqual(["vadas"])
    expect(results(toy(), "g.inject(vadas).has('name', 'vadas').in('knows').values('name')", { variables })).toEqual([
      "marko"
    ])
    expect(results(toy(), "g.inject(knows).values('weight')", { variables })).toEqual(["0.5"])
    expect(results(toy(), "g.V(1).union(__.inject(vadas)).values('age')", { variables })).toEqual(["29", "27"])
  })

  it("returns it from an asynchronous store", async () => {
    for (const script of ["g.inject(vadas, knows).valueMap()", "g.V(99).inject(vadas).values('name')"]) {
      const answered = await runLater(new LaterGraph(toy()), script, { variables, as: text })
      expect(answered).toEqual(results(toy(), script, { variables }))
    }
  })

  it("fails if the graph does not contain it", () => {
    expect(() => results(toy(), "g.inject(1, gone)", { variables })).toThrow(
      "Can not get the attachable from the host vertex: inject() was given v[999], which is not in the graph"
    )
  })
})
