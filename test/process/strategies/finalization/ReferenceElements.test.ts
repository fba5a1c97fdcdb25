import { describe, expect, it } from "vitest"
import { toyGraph } from "../../../../src/storage/memory/ToyGraphs.ts"
import type { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../../../../src/structure/collections/Collections.ts"
import type { Tree } from "../../../../src/structure/collections/Tree.ts"
import type { Edge, Element, Property, Vertex, VertexProperty } from "../../../../src/structure/elements/Element.ts"
import type { Path } from "../../../../src/structure/elements/Path.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { LaterGraph } from "../../../storage/LaterGraph.ts"
import { run, runLater, toy } from "../../run.ts"

const source = "g.withStrategies(ReferenceElementStrategy)"

const values = (steps: string): ReadonlyArray<unknown> => run(toy(), `${source}.${steps}`)
const only = (steps: string): unknown => values(steps)[0]

/** The texts of the elements, if none has a property. */
const bare = (elements: Iterable<unknown>): ReadonlyArray<string> =>
  [...elements].map((element) => {
    expect((element as Element).properties()).toEqual([])
    return text(element)
  })

describe("ReferenceElementStrategy", () => {
  it("leaves elements their id and label only", () => {
    expect(bare(values("V(1, 2)"))).toEqual(["v[1]", "v[2]"])
    expect(bare(values("V(1).outE('knows')"))).toEqual(["e[7][1-knows->2]", "e[8][1-knows->4]"])
    const edge = only("E(7)") as Edge
    expect(bare([edge.inVertex, edge.outVertex])).toEqual(["v[2]", "v[1]"])
    expect([edge.label, edge.inVertex.label]).toEqual(["knows", "person"])
  })

  it("leaves properties their key and value, and bare elements", () => {
    const vertexProperty = run(toyGraph("crew"), `${source}.V(1).properties('location')`)[0] as VertexProperty
    expect([vertexProperty.key, vertexProperty.value, vertexProperty.id]).toEqual(["location", "san diego", 6n])
    expect(bare([vertexProperty, vertexProperty.vertex])).toEqual(["vp[location->san diego]", "v[1]"])
    const property = only("E(7).properties('weight')") as Property
    expect([property.key, String(property.value)]).toEqual(["weight", "0.5"])
    expect(bare([property.element])).toEqual(["e[7][1-knows->2]"])
  })

  it("applies inside of collections, paths and trees", () => {
    expect(bare(only("V(1, 2).fold()") as ReadonlyArray<unknown>)).toEqual(["v[1]", "v[2]"])
    expect(bare((only("V(1, 2).fold().fold()") as ReadonlyArray<ReadonlyArray<unknown>>)[0]!)).toEqual(["v[1]", "v[2]"])
    expect(bare(only("V(1, 2).aggregate('x').cap('x')") as BulkSet)).toEqual(["v[1]", "v[2]"])
    expect(bare(only("V(1).aggregate('x').cap('x').dedup(local)") as GremlinSet)).toEqual(["v[1]"])
    const map = only("V(1).group().by()") as GremlinMap
    expect(bare(map.keys())).toEqual(["v[1]"])
    expect(bare(map.values().next().value as ReadonlyArray<unknown>)).toEqual(["v[1]"])
    expect(bare([(only("V(1).group().by().unfold()") as MapEntry).key])).toEqual(["v[1]"])
    const path = only("V(1).as('a').outE('created').inV().path()") as Path
    expect(bare(path.objects)).toEqual(["v[1]", "e[9][1-created->3]", "v[3]"])
    expect([...path.labels[0]!]).toEqual(["a"])
    const tree = only("V(1).out('created').tree()") as Tree
    expect(bare(tree.children.keys())).toEqual(["v[1]"])
    expect(bare((tree.children.values().next().value as Tree).children.keys())).toEqual(["v[3]"])
  })

  it("leaves other values as they are", () => {
    expect(values("V(1).values('name')")).toEqual(["marko"])
    expect(values("inject(null, 1, [1, null]).limit(3)")).toEqual([null, 1, [1, null]])
    expect(values("V(1).valueMap('name')").map(text)).toEqual(["{name=[marko]}"])
    expect(values("V().count()")).toEqual([6n])
  })

  it("lets the steps before see the properties", () => {
    expect(bare(values("V().has('name', 'josh').out('created').order().by('name')"))).toEqual(["v[3]", "v[5]"])
  })

  it("applies before profile(), which measures it, and not after withoutStrategies()", () => {
    expect(text(only("V().profile()"))).toContain("ReferenceElementStep")
    expect(bare(values("V(1).profile('p')"))).toEqual(["v[1]"])
    const [vertex] = run(toy(), `${source}.withoutStrategies(ReferenceElementStrategy).V(1).fold()`, { as: text })
    expect(vertex).toEqual("[v[1]]")
    const bag = run(toy(), `${source}.withoutStrategies(ReferenceElementStrategy).V(1)`) as ReadonlyArray<Vertex>
    expect(bag[0]!.properties()).toHaveLength(2)
  })

  it.each(["V()", "E()", "V().outE().fold()", "V().properties()", "V().out().path()"])(
    "reads what it needs from a store that answers later: %s",
    async (steps) => {
      const later = await runLater(new LaterGraph(toy()), `${source}.${steps}`, { as: text })
      expect(later).toEqual(run(toy(), `g.${steps}`, { as: text }))
    }
  )
})
