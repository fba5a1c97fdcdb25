import { describe, expect, it } from "vitest"
import { post } from "../support/HttpClient.ts"
import { graphOf } from "../support/LmdbGraphs.ts"
import { startServer } from "../support/TestServers.ts"

const schemaGraph = graphOf(["storage.backend=inmemory", "storage.memory.schema=true"])

/** A server with JanusGraph's example, and texts with a mixed index. */
const started = async () => {
  const { authority } = await startServer({ graphs: new Map([["graph", schemaGraph]]) })
  const asked = async (gremlin: string): Promise<unknown> => {
    const { json } = await post(authority, gremlin)
    return json.result?.data ?? json.message
  }
  await asked("GraphOfTheGodsFactory.load(graph)")
  await asked(`
    mgmt = graph.openManagement()
    text = mgmt.makePropertyKey('text').dataType(String.class).make()
    rank = mgmt.makePropertyKey('rank').dataType(Integer.class).make()
    code = mgmt.makePropertyKey('first code').dataType(String.class).make()
    book = mgmt.makeVertexLabel('book').make()
    mgmt.buildIndex('books', Vertex.class).addKey(text).addKey(rank).addKey(code, Mapping.STRING.asParameter()).indexOnly(book).buildMixedIndex('search')
    mgmt.commit()`)
  await asked(`
    g.addV('book').property('text', 'the farm of uncle Tom').property('rank', 1).property('first code', 'A-1').
      addV('book').property('text', 'uncle and aunt').property('rank', 2).property('first code', 'A 2').
      addV('book').property('text', 'berry pie').property('rank', 3).
      addV('tree').property('text', 'uncle tree').iterate()`)
  return asked
}

/** A server with a mixed index of keys of several data types and cardinalities. */
const withTypes = async () => {
  const { authority } = await startServer({ graphs: new Map([["graph", schemaGraph]]) })
  const asked = async (gremlin: string): Promise<unknown> => {
    const { json } = await post(authority, gremlin)
    return json.result?.data ?? json.message
  }
  await asked(`
    mgmt = graph.openManagement()
    index = mgmt.buildIndex('things', Vertex.class)
    types = [uid: UUID, created: Date, seen: Instant, weight: Float, letter: Character, isNew: Boolean, place: Geoshape,
      ref: Long]
    types.each { name, type -> index.addKey(mgmt.makePropertyKey(name).dataType(type).make()) }
    index.addKey(mgmt.makePropertyKey('sizes').dataType(Integer.class).cardinality(Cardinality.LIST).make())
    index.addKey(mgmt.makePropertyKey('marks').dataType(Integer.class).cardinality(Cardinality.SET).make())
    index.buildMixedIndex('search')
    mgmt.commit()`)
  await asked(`
    one = g.addV('thing').property('name', 'first').property('uid', UUID.fromString('41d2e28a-20a4-4ab0-b379-d810dede3786')).
      property('created', new Date(1685613600000L)).property('seen', Instant.parse('2024-05-05T10:00:00Z')).
      property('ref', 1735000000000000123L).property('weight', 0.1f).property('letter', 'a' as char).property('isNew', false).
      property('place', Geoshape.point(1, 2)).property(list, 'sizes', 1).property(list, 'sizes', 9).
      property(set, 'marks', 1).property(set, 'marks', 9).iterate()
    g.addV('thing').property('name', 'second').property('uid', UUID.fromString('51d2e28a-20a4-4ab0-b379-d810dede3786')).
      property('created', new Date(1717236000000L)).property('seen', Instant.parse('2024-06-05T10:00:00Z')).
      property('ref', Long.MAX_VALUE).property('weight', 0.2f).property('letter', 'b' as char).property('isNew', true).
      property(list, 'sizes', 1).property(list, 'sizes', 5).property(set, 'marks', 1).property(set, 'marks', 2).iterate()`)
  return asked
}

describe("graph.query()", () => {
  it("takes the constants of Text and Geo", async () => {
    const asked = await started()
    const texts = (query: string) => asked(`graph.query().${query}.vertices().collect { it.value('rank') }.sort()`)
    expect(await texts("has('text', Text.CONTAINS, 'uncle').has('rank')")).toEqual([1, 2])
    expect(await texts("has('text', org.janusgraph.core.attribute.Text.CONTAINS_PREFIX, 'far').has('rank')")).toEqual([
      1
    ])
    expect(await texts("has('text', Text.NOT_CONTAINS, 'uncle').has('rank')")).toEqual([3])
    expect(await texts("has('text', Text.valueOf('REGEX'), 'b.*').has('rank')")).toEqual([3])
    expect(
      await asked(
        "v = g.V().has('name', 'hercules').next(); v.query().labels('battled').has('place', Geo.WITHIN, Geoshape.circle(38.1, 23.7, 50)).edges().size()"
      )
    ).toEqual([2])
    expect(await asked("graph.query().has('text', Text.CONTAIN, 'a')")).toContain(
      "Text has no constant CONTAIN in scripts. Did you mean Text.CONTAINS?"
    )
  })

  it("finds elements by conditions", async () => {
    const asked = await started()
    const names = (query: string) => asked(`graph.query().${query}.vertices().collect { it.value('name') }.sort()`)
    expect(await names("has('name', 'hercules')")).toEqual(["hercules"])
    expect(await names("has('age').hasNot('age', 5000).interval('age', 4000, 10000)")).toEqual(["neptune", "pluto"])
    expect(await names("has('age', Cmp.GREATER_THAN_EQUAL, 5000)")).toEqual(["jupiter", "saturn"])
    expect(await names("has('name', Contain.IN, ['sky', 'sea'])")).toEqual(["sea", "sky"])
    expect(await names("has('name').hasNot('age').limit(3)")).toHaveLength(3)
    expect(
      await asked("graph.query().has('age').orderBy('age', Order.desc).limit(2).vertices()*.value('age')")
    ).toEqual([10000, 5000])
    expect(await asked("graph.query().has('time', 2).edges().collect { it.inVertex().value('name') }")).toEqual([
      "hydra"
    ])
  })

  it("leaves out elements without the key if their value must not be a given one, as JanusGraph does since 0.6", async () => {
    const asked = await started()
    const labels = (query: string) => asked(`graph.query().${query}.vertices()*.label().unique().sort()`)
    expect(await labels("hasNot('age', 5000)")).toEqual(["demigod", "god", "human", "titan"])
    expect(await labels("has('age', Cmp.NOT_EQUAL, 5000)")).toEqual(["demigod", "god", "human", "titan"])
    expect(await labels("has('age', Contain.NOT_IN, [5000])")).toEqual(["demigod", "god", "human", "titan"])
  })

  it("refuses what it does not know", async () => {
    const asked = await started()
    expect(await asked("graph.query().direction(OUT)")).toContain("a graph query has no method direction()")
    expect(await asked("graph.query().has('age', Cmp.LIKE, 5)")).toContain("GREATER_THAN")
    expect(await asked("graph.query().vertexes()")).toContain("Did you mean vertices()?")
  })
})

describe("vertex.query()", () => {
  it("finds relations of the vertex", async () => {
    const asked = await started()
    const of = (query: string) => asked(`h = g.V().has('name', 'hercules').next(); h.query().${query}`)
    expect(await of("labels('battled').direction(OUT).interval('time', 1, 5).edgeCount()")).toEqual([2])
    expect(await of("labels('battled').has('time', 12).vertices()*.value('name')")).toEqual(["cerberus"])
    expect(await of("labels('father', 'mother').vertices().collect { it.value('name') }.sort()")).toEqual([
      "alcmene",
      "jupiter"
    ])
    expect(await of("labels('battled').orderBy('time', Order.desc).limit(1).edges()*.value('time')")).toEqual([12])
    expect(await of("keys('name').properties()*.value()")).toEqual(["hercules"])
    expect(await of("direction(OUT).vertexIds().size()")).toEqual([5])
    expect(await of("count()")).toEqual([7])
    expect(await of("direction(IN).count()")).toEqual([0])
    const adjacent = "adjacent(g.V().has('name', 'hydra').next()).edges()*.label()"
    expect(await of(adjacent)).toEqual(["battled"])
  })
})

describe("graph.indexQuery()", () => {
  it("finds the elements of a mixed index, those with more matching terms first", async () => {
    const asked = await started()
    const texts = (query: string, more = "") =>
      asked(`graph.indexQuery('books', '${query}')${more}.vertexStream().collect { it.element.value('text') }`)
    expect(await texts("v.text:(farm uncle berry)")).toEqual(["the farm of uncle Tom", "uncle and aunt", "berry pie"])
    expect(await texts("v.text:uncle AND v.rank:[2 TO *]")).toEqual(["uncle and aunt"])
    expect(await texts("v.text:uncle -v.text:farm")).toEqual(["uncle and aunt"])
    expect(await texts('v.text:"uncle tom"')).toEqual(["the farm of uncle Tom"])
    expect(await texts("v.text:ber*")).toEqual(["berry pie"])
    expect(await texts("v.text:bery~")).toEqual(["berry pie"])
    expect(await texts('v."first code":"A 2"')).toEqual(["uncle and aunt"])
    expect(await texts("v.rank:{1 TO 3}")).toEqual(["uncle and aunt"])
    expect(await texts("$v$rank:3", ".setElementIdentifier('$v$')")).toEqual(["berry pie"])
    expect(await texts("v.rank:[1 TO 3]", ".orderBy('rank', Order.desc).offset(1).limit(1)")).toEqual([
      "uncle and aunt"
    ])
    expect(await asked("graph.indexQuery('books', 'v.text:(farm uncle)').vertexStream()*.getScore()")).toEqual([2, 1])
    const hits = "graph.indexQuery('books', 'v.text:(farm uncle)').vertexStream()"
    const first = "the farm of uncle Tom"
    expect(await asked(`${hits}.collect { it.getElement().value('text') + it.getScore() }`)).toEqual([
      `${first}2.0`,
      "uncle and aunt1.0"
    ])
    expect(await asked(`r = []; for (Result<Vertex> x : ${hits}) { r << x.getElement().value('text') }; r[0]`)).toEqual(
      [first]
    )
    expect(await asked("graph.indexQuery('books', 'v.text:uncle').vertexTotals()")).toEqual([2])
    expect(await asked("graph.indexQuery('edges', 'e.reason:waves').edgeStream()*.element*.label()")).toEqual(["lives"])
  })

  it("counts all elements that it finds, whatever the page and the order", async () => {
    const asked = await started()
    const page = ".orderBy('rank', Order.desc).offset(1).limit(1)"
    expect(await asked(`graph.indexQuery('books', 'v.text:(uncle berry)')${page}.vertexTotals()`)).toEqual([3])
    expect(await asked("graph.indexQuery('edges', 'e.reason:loves').limit(0).edgeTotals()")).toEqual([2])
  })

  it("reads values by the data types of their keys", async () => {
    const asked = await withTypes()
    const names = (query: string) =>
      asked(`graph.indexQuery('things', '${query}').vertexStream().collect { it.element.value('name') }.sort()`)
    expect(await names('v.uid:"41d2e28a-20a4-4ab0-b379-d810dede3786"')).toEqual(["first"])
    expect(await names("v.uid:41D2E28A-20a4-4ab0-b379-d810dede3786")).toEqual(["first"])
    expect(await names('v.created:["2024-01-01T00:00:00Z" TO *]')).toEqual(["second"])
    expect(await names("v.created:[2023-06-01T10:00:00Z TO 2024-01-01]")).toEqual(["first"])
    expect(await names("v.created:{2023-06-01T10:00:00Z TO *]")).toEqual(["second"])
    expect(await names("v.created:1685613600000")).toEqual(["first"])
    expect(await names("v.seen:[2024-05-05T10:00:00.000000001Z TO *]")).toEqual(["second"])
    expect(await names('v.seen:"2024-05-05T10:00:00Z"')).toEqual(["first"])
    expect(await names("v.weight:0.1")).toEqual(["first"])
    expect(await names("v.weight:[* TO 0.1]")).toEqual(["first"])
    expect(await names("v.letter:b")).toEqual(["second"])
    expect(await names("v.isNew:true")).toEqual(["second"])
    expect(await names("v.ref:1735000000000000123")).toEqual(["first"])
    expect(await names("v.ref:1735000000000000000")).toEqual([])
    expect(await names("v.ref:[1735000000000000124 TO 9223372036854775806]")).toEqual([])
    expect(await names("v.ref:[9223372036854775807 TO 92233720368547758080]")).toEqual(["second"])
    expect(await names("v.uid:[* TO *]")).toEqual(["first", "second"])
  })

  it("finds an element by a range only if one of its values is in the range", async () => {
    const asked = await withTypes()
    const names = (query: string) =>
      asked(`graph.indexQuery('things', '${query}').vertexStream().collect { it.element.value('name') }.sort()`)
    expect(await names("v.sizes:[4 TO 6]")).toEqual(["second"])
    expect(await names("v.sizes:[1 TO 9]")).toEqual(["first", "second"])
    expect(await names("v.marks:{1 TO 9}")).toEqual(["second"])
  })

  it("says how values of the type of a key are written", async () => {
    const asked = await withTypes()
    const problem = (query: string) => asked(`graph.indexQuery('things', '${query}').vertexStream()`)
    expect(await problem("v.uid:5")).toContain('"5" is no value of the key uid, which has the type UUID: write a UUID')
    expect(await problem("v.created:2024-02-30")).toContain("the type Date: write a time, such as 2024-01-31")
    expect(await problem("v.isNew:yes")).toContain("write true or false")
    expect(await problem("v.weight:heavy")).toContain("write a number")
    expect(await problem("v.place:5")).toContain("no values of the type Geoshape, which the key place has")
  })

  it("refuses unknown indexes, keys and syntax", async () => {
    const asked = await started()
    const problem = (index: string, query: string) => asked(`graph.indexQuery('${index}', '${query}').vertexStream()`)
    expect(await problem("nope", "v.text:a")).toContain("Index with name [nope] is unknown or not a mixed index")
    expect(await problem("edges", "v.reason:a")).toContain("not configured for the desired result type: VERTEX")
    expect(await problem("books", "v.name:a")).toContain("the index books has no key name")
    expect(await problem("books", "v.text:a^2")).toContain("boost")
    expect(await problem("books", "v.text:(a")).toContain("')' was expected")
    expect(await problem("books", "v.text:a?c")).toContain("wildcard")
    expect(await problem("books", "NOT v.text:a")).toContain("only NOT")
    expect(await problem("books", "text:a")).toContain("a field such as v.name was expected")
    expect(await problem("books", `${"(".repeat(100)}v.text:a`)).toContain("at most 20 levels")
    expect(await problem("books", `v.text:(${"a ".repeat(300)})`)).toContain("at most 200 terms")
  })
})

describe("Elements of scripts", () => {
  it("have their types in the schema", async () => {
    const asked = await started()
    expect(await asked("g.V().has('name', 'jupiter').next().vertexLabel().name()")).toEqual(["god"])
    expect(await asked("g.E().hasLabel('father').next().edgeLabel().multiplicity().toString()")).toEqual(["MANY2ONE"])
    expect(await asked("g.V().has('age').next().property('age').propertyKey().dataType().getName()")).toEqual([
      "java.lang.Integer"
    ])
    const { authority } = await startServer()
    const { json } = await post(authority, "g.addV('a').next().vertexLabel()")
    expect(json.message).toContain("has no schema")
  })

  it("have the vertices of edges, and remove their properties", async () => {
    const asked = await started()
    const edge = "e = g.V().has('name', 'hercules').outE('father').next(); "
    expect(await asked(`${edge}e.vertices(BOTH).collect { it.value('name') }`)).toEqual(["hercules", "jupiter"])
    expect(
      await asked(`${edge}e.vertices(IN).next() == e.inVertex() && e.otherVertex(e.inVertex()) == e.outVertex()`)
    ).toEqual([true])
    expect(await asked(`${edge}e.isLoop()`)).toEqual([false])
    expect(
      await asked("v = g.V().has('name', 'saturn').next(); v.property('age').remove(); v.property('age').isPresent()")
    ).toEqual([false])
    expect(
      await asked(
        "e = g.E().has('reason').next(); e.property('reason').remove(); g.E(e.id()).values('reason').count().next()"
      )
    ).toEqual([0])
    expect(
      await asked(
        "p = g.V().has('name', 'sky').next().property('name', 'heaven'); p.property('source', 'web'); g.V().has('name', 'heaven').properties('name').values('source')"
      )
    ).toEqual(["web"])
    expect(await asked("graph.getVertex(g.V().has('name', 'sea').id().next()).value('name')")).toEqual(["sea"])
  })
})
