import { describe, expect, it } from "vitest"
import { newFolder } from "../../Folders.ts"
import { http, post } from "../support/HttpClient.ts"
import { onLmdb } from "../support/LmdbGraphs.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { startServer } from "../support/TestServers.ts"

const running = async (...lines: ReadonlyArray<string>) => {
  const server = await startServer(onLmdb(newFolder(), ...lines))
  const answer = async (gremlin: string) => post(server.authority, gremlin)
  const data = async (gremlin: string) => {
    const { json, status, text } = await answer(gremlin)
    if (status !== 200) throw new Error(text)
    return json.result.data
  }
  const failure = async (gremlin: string) => {
    const { json, status } = await answer(gremlin)
    expect(status).not.toBe(200)
    return String(json.message)
  }
  return { ...server, data, failure }
}

describe("JanusGraph's management in scripts", () => {
  it("creates types and indexes that can be used at once", async () => {
    const { data } = await running("schema.default=none")
    await data(`
      mgmt = graph.openManagement()
      name = mgmt.makePropertyKey('name').dataType(String.class).cardinality(Cardinality.SINGLE).make()
      age = mgmt.makePropertyKey('age').dataType(Integer.class).make()
      tags = mgmt.makePropertyKey('tags').dataType(String.class).cardinality(org.janusgraph.core.Cardinality.SET).make()
      since = mgmt.makePropertyKey('since').dataType(Long.class).make()
      person = mgmt.makeVertexLabel('person').make()
      knows = mgmt.makeEdgeLabel('knows').multiplicity(Multiplicity.SIMPLE).make()
      mgmt.buildIndex('byName', Vertex.class).addKey(name).unique().indexOnly(person).buildCompositeIndex()
      mgmt.buildIndex('byAge', Vertex.class).addKey(age).buildOrderedIndex()
      mgmt.buildIndex('search', Vertex.class).addKey(tags, Mapping.TEXTSTRING.asParameter()).buildMixedIndex('search')
      mgmt.buildEdgeIndex(knows, 'bySince', Direction.BOTH, Order.desc, since)
      mgmt.setConsistency(name, ConsistencyModifier.LOCK)
      mgmt.commit()`)
    await data(
      "g.addV('person').property('name', 'marko').property('age', 29).property(set, 'tags', 'Red Wine').as('a')" +
        ".addV('person').property('name', 'josh').property('age', 32).addE('knows').from('a').property('since', 7L).iterate()"
    )
    const explained = async (gremlin: string) => JSON.stringify(await data(`${gremlin}.explain()`))
    for (const [gremlin, index, expected] of [
      ["g.V().has('person', 'name', 'josh').values('age')", "byName", [32]],
      ["g.V().has('age', gt(30)).values('name')", "byAge", ["josh"]],
      ["g.V().has('tags', textContains('wine')).values('name')", "search", ["marko"]]
    ] as const) {
      expect(await data(gremlin)).toEqual(expected)
      expect(await explained(gremlin)).toContain(`index ${index}`)
    }
    expect(await explained("g.V().has('tags', 'x')")).toContain("index search")
    expect(await explained("g.V().has('name', 'josh')")).toContain("full scan")
    expect(await data("graph.openManagement().getConsistency(graph.openManagement().getPropertyKey('name'))")).toEqual([
      "LOCK"
    ])
  })

  it("follows JanusGraph's rules", async () => {
    const { data, failure } = await running("schema.default=none")
    await data(`
      mgmt = graph.openManagement()
      mgmt.makePropertyKey('uid').dataType(Long.class).make()
      mgmt.makeEdgeLabel('boss').multiplicity(Multiplicity.MANY2ONE).make()
      mgmt.makeEdgeLabel('follows').unidirected().make()
      mgmt.makeVertexLabel('person').make()
      mgmt.buildIndex('byUid', Vertex.class).addKey(mgmt.getPropertyKey('uid')).unique().buildCompositeIndex()
      mgmt.commit()`)
    expect(await failure("g.addV('robot')")).toContain("Undefined vertex label: robot")
    expect(await failure("g.addV('person').property('x', 1)")).toContain("Undefined property key: x")
    expect(await failure("g.addV('person').property('uid', 'a')")).toContain("expected data type")
    await data("g.addV('person').property('uid', 1L).as('a').addV('person').property('uid', 2L).addE('boss').from('a')")
    expect(await failure("g.addV('person').property('uid', 1L)")).toContain("uniqueness constraint [byUid]")
    expect(await failure("g.V().has('uid', 1L).as('a').V().has('uid', 1L).addE('boss').from('a')")).toContain(
      "out-unique"
    )
    await data("g.V().has('uid', 1L).as('a').V().has('uid', 2L).addE('follows').from('a').iterate()")
    expect(await data("g.V().has('uid', 2L).in('follows').count()")).toEqual([0])
    expect(await data("g.V().has('uid', 1L).out('follows').count()")).toEqual([1])
  })

  it("gives constants that are equal to those of scripts", async () => {
    const { data, failure } = await running()
    await data(`
      mgmt = graph.openManagement()
      name = mgmt.makePropertyKey('name').dataType(String.class).cardinality(Cardinality.SET).make()
      since = mgmt.makePropertyKey('since').dataType(Long.class).make()
      knows = mgmt.makeEdgeLabel('knows').multiplicity(Multiplicity.SIMPLE).make()
      mgmt.buildIndex('byName', Vertex.class).addKey(name).buildCompositeIndex()
      mgmt.buildEdgeIndex(knows, 'bySince', Direction.OUT, Order.desc, since)
      mgmt.setConsistency(knows, ConsistencyModifier.LOCK)
      mgmt.commit()
      mgmt.awaitGraphIndexStatus(graph, 'byName').call()`)
    const opened = `mgmt = graph.openManagement(); name = mgmt.getPropertyKey('name'); knows = mgmt.getEdgeLabel('knows')
      since = mgmt.getPropertyKey('since'); index = mgmt.getGraphIndex('byName'); bySince = mgmt.getRelationIndex(knows, 'bySince')
      `
    for (const condition of [
      "index.getIndexStatus(name) == SchemaStatus.ENABLED",
      "index.getIndexStatus(name) != SchemaStatus.DISABLED",
      "bySince.getIndexStatus() in [SchemaStatus.ENABLED, SchemaStatus.REGISTERED]",
      "name.cardinality() == Cardinality.SET && since.cardinality() == org.janusgraph.core.Cardinality.SINGLE",
      "knows.multiplicity() == Multiplicity.SIMPLE && knows.multiplicity() == SIMPLE",
      "bySince.getDirection() == Direction.OUT && bySince.getSortOrder() == Order.desc",
      "mgmt.getConsistency(knows) == ConsistencyModifier.LOCK && mgmt.getConsistency(name) == ConsistencyModifier.DEFAULT",
      "mgmt.awaitGraphIndexStatus(graph, 'byName').call().getTargetStatuses() == [SchemaStatus.REGISTERED]",
      "mgmt.awaitRelationIndexStatus(graph, 'bySince', 'knows').call().getActualStatus() == SchemaStatus.ENABLED"
    ]) {
      expect.soft(await data(opened + condition), condition).toEqual([true])
    }
    const results = "[index.getIndexStatus(name), [a: name.cardinality()], [knows.multiplicity()]]"
    expect(await data(opened + results)).toEqual(["ENABLED", expect.anything(), ["SIMPLE"]])
    for (const wrong of ["since", "null", "'name'"]) {
      const message = await failure(`${opened}index.getIndexStatus(${wrong})`)
      expect(message).toMatch(/Provided key is not part of this index: since|getIndexStatus\(\) takes a property key/)
    }
  })

  it("takes the constants of JanusGraph's Cardinality without their class, as JanusGraph's server imports them", async () => {
    const { data, failure } = await running()
    await data(`m = graph.openManagement()
      [one: SINGLE, many: LIST, several: SET].each { m.makePropertyKey(it.key).dataType(String.class).cardinality(it.value).make() }
      m.makePropertyKey('tags').dataType(String.class).cardinality(SET).make()
      m.commit()`)
    const made =
      "m = graph.openManagement(); made = ['one', 'many', 'several', 'tags'].collect { m.getPropertyKey(it).cardinality() }"
    expect(await data(`${made}; made == [SINGLE, LIST, SET, SET]`)).toEqual([true])
    expect(await data(`${made}; [made[0] == LIST, LIST == made[1], made[2] in [LIST, SET], made[3] != SET]`)).toEqual([
      false,
      true,
      true,
      false
    ])
    expect(await data("SINGLE == Cardinality.SINGLE && SINGLE == org.janusgraph.core.Cardinality.SINGLE")).toEqual([
      true
    ])
    expect(await data("[LIST == Cardinality.LIST, Cardinality.SET == SET, LIST == Cardinality.SET]")).toEqual([
      true,
      true,
      false
    ])
    expect(await data("g.addV().property(SINGLE, 'one', 'a').values('one')")).toEqual(["a"])
    expect(await data("g.addV().property(SET, 'several', 'a').values('several')")).toEqual(["a"])
    expect(await data("SET = 'a variable'; SET")).toEqual(["a variable"])
    const same =
      "[made[1]] as Set == [LIST] as Set && [LIST, made[1]].unique().size() == 1 && [made[1]] - [LIST] == [] && " +
      "[made[1]].intersect([LIST]) == [LIST] && [made[1], LIST].countBy { it }.size() == 1 && LIST instanceof Cardinality"
    expect(await data(`${made}; ${same}`)).toEqual([true])
    expect(await data(`${made}; made.collect { [(SINGLE): 0, (LIST): 1, (SET): 2][it] }`)).toEqual([0, 1, 2, 2])
    expect(
      await data(`${made}; [SINGLE, LIST, SET]*.name() == made.take(3)*.name() && "$SINGLE" == "\${made[0]}"`)
    ).toEqual([true])
    expect(
      await data("def f(String name, Cardinality c) { c.name() }; Cardinality c = LIST; f('x', c) + f('x', SET)")
    ).toEqual(["LISTSET"])
    const refused =
      "m = graph.openManagement(); m.makePropertyKey('any').dataType(Object.class).cardinality(SET).make()"
    expect(await failure(refused)).toContain("cannot have the data type Object and the cardinality SET")
  })

  it("knows LIST and SET as types where a step asks for a type, also when a value carries them", async () => {
    const { data } = await running()
    expect(await data("g.inject([1, 2]).is(typeOf(LIST)).count()")).toEqual([1])
    expect(await data("t = LIST; g.inject([1]).is(typeOf(t)).count()")).toEqual([1])
    expect(await data("g.inject([1]).is(typeOf(true ? LIST : SET)).count()")).toEqual([1])
    expect(await data("def f(t) { g.inject([1, 2] as Set).is(typeOf(t)).count().next() }; f(SET)")).toEqual([1])
    expect(await data("[INT, LIST].collect { g.inject([1]).is(typeOf(it)).count().next() }")).toEqual([0, 1])
    expect(await data("[LIST == GType.LIST, SET == GType.SET, GType.LIST == GType.LIST]")).toEqual([false, false, true])
    expect(await data("g.inject(LIST)")).toEqual(["list"])
  })

  it("gives its objects to closures by with() and tap()", async () => {
    const { data, failure } = await running("schema.default=none")
    await data(`graph.openManagement().with {
        def name = makePropertyKey('name').dataType(String.class).make()
        ['person', 'town'].each { label -> makeVertexLabel(label).make() }
        buildIndex('byName', Vertex.class).addKey(name).buildCompositeIndex()
        commit()
      }`)
    const key = "graph.openManagement().getPropertyKey('name')"
    expect(await data(`${key}.with { k -> k.name() + k.dataType().simpleName }`)).toEqual(["nameString"])
    expect(await data(`m = graph.openManagement().tap { makeVertexLabel('city').make() }; m.commit(); 1`)).toEqual([1])
    expect(await data("graph.openManagement().getVertexLabels()*.name().sort()")).toEqual(["city", "person", "town"])
    expect(await failure(`${key}.with { nothing() }`)).toContain("nothing()")
  })

  it("says what is wrong, and what to do", async () => {
    const { data, failure } = await running()
    const commit = "; mgmt.commit()"
    const make = (what: string) => `mgmt = graph.openManagement(); ${what}`
    await data(make(`mgmt.makePropertyKey('a').dataType(Object.class).make()${commit}`))
    expect(await failure(make("mgmt.makePropertyKey('a').dataType(String.class).make()"))).toContain(
      "there is a definition of the property key a already"
    )
    expect(await failure(make("mgmt.makePropertyKey('b').make()"))).toContain("Need to specify a datatype")
    expect(await failure(make("mgmt.makePropertyKey('label').dataType(String.class).make()"))).toContain("another name")
    expect(await failure(make("mgmt.makePropertyKey('b').dataType(HashMap.class).make()"))).toContain(
      "is not a data type"
    )
    expect(await failure(make("mgmt.makeVertexLabel('v').partition().setStatic().make()"))).toContain(
      "partitioned and static at the same time"
    )
    expect(await failure(make("mgmt.buildIndex('i', Vertex.class).buildCompositeIndex(); mgmt.commit()"))).toContain(
      "has no key"
    )
    expect(await failure(make("mgmt.commit(); mgmt.makePropertyKey('x')"))).toContain("open another one")
    expect(await failure("g.inject(Geoshape.polygon([1, 2]))")).toContain(
      "a place is a list of a longitude and a latitude"
    )
    expect(await failure("Geoshape.ring([1, 2])")).toContain("Geoshape.ring() with 1 arguments does not exist")
    expect(await failure(make("mgmt.buildIndex('i', Vertex.class).addKey('a')"))).toContain("takes a property key")
    expect(await failure("ManagementSystem.awaitGraphIndexStatus(graph, 'no').call()")).toContain(
      "There is no index no"
    )
    expect(await failure("graph.openManagement().drop()")).toContain("management has no method drop()")
  })

  it("shows the settings of the open management", async () => {
    const { data } = await running()
    const key = "m = graph.openManagement(); k = m.makePropertyKey('age').dataType(Integer.class).make(); "
    const make = (script: string) => data(`${key}${script}; m.rollback(); r`)
    expect(await make("m.setTTL(k, java.time.Duration.ofDays(1)); r = m.getTTL(k).getSeconds()")).toEqual([86400])
    expect(await make("m.setConsistency(k, ConsistencyModifier.LOCK); r = m.getConsistency(k).toString()")).toEqual([
      "LOCK"
    ])
    expect(await make("r = [k.dataType().getSimpleName(), k.dataType().toString()]")).toEqual([
      "Integer",
      "class java.lang.Integer"
    ])
    const index = "l = m.makeEdgeLabel('e').make(); i = m.buildEdgeIndex(l, 'i', Direction.OUT, Order.desc, k); "
    expect(await make(`${index} r = i.getSortKey().collect { it.name() }`)).toEqual(["age"])
    expect(
      await data(
        "m = graph.openManagement(); m.makePropertyKey('a').dataType(int[].class).make().dataType().toString()"
      )
    ).toEqual(["class [I"])
  })

  it("takes the levels of consistency that JanusGraph takes, and a name that stays", async () => {
    const { data, failure } = await running()
    await data(
      "m = graph.openManagement(); m.makePropertyKey('one').dataType(String.class).make(); m.makePropertyKey('list').dataType(String.class)" +
        ".cardinality(Cardinality.LIST).make(); m.makeEdgeLabel('simple').multiplicity(Multiplicity.SIMPLE).make(); m.makeEdgeLabel('multi').make(); " +
        "m.makeVertexLabel('town').make(); m.buildIndex('words', Vertex.class).addKey(m.getPropertyKey('one')).buildMixedIndex('search'); m.commit()"
    )
    const set = (type: string, level: string): string =>
      `m = graph.openManagement(); m.setConsistency(m.${type}, ConsistencyModifier.${level}); m.commit(); 1`
    for (const type of ["getPropertyKey('one')", "getEdgeLabel('simple')"]) {
      expect(await failure(set(type, "FORK"))).toContain(
        "Cannot apply FORK consistency mode to constraint relation type"
      )
      expect(await data(set(type, "LOCK"))).toEqual([1])
    }
    for (const type of ["getPropertyKey('list')", "getEdgeLabel('multi')"]) {
      expect(await data(set(type, "FORK"))).toEqual([1])
    }
    expect(await failure(set("getVertexLabel('town')", "LOCK"))).toContain(
      "Cannot change consistency of schema element: town"
    )
    expect(await failure(set("getGraphIndex('words')", "LOCK"))).toContain(
      "Cannot change consistency on mixed index: words"
    )
    expect(
      await data("m = graph.openManagement(); m.changeName(m.getPropertyKey('one'), 'one'); m.commit(); 1")
    ).toEqual([1])
  })

  it("keeps the level of consistency of an index that the same management builds", async () => {
    const { data, failure } = await running("schema.default=none")
    const level = "m = graph.openManagement(); m.getConsistency(m.getGraphIndex('unique')).toString()"
    expect(
      await data(`
        m = graph.openManagement()
        k = m.makePropertyKey('uid').dataType(String.class).make()
        i = m.buildIndex('unique', Vertex.class).addKey(k).unique().buildCompositeIndex()
        m.setConsistency(i, ConsistencyModifier.LOCK)
        r = m.getConsistency(m.getGraphIndex('unique')).toString()
        m.commit(); r`)
    ).toEqual(["LOCK"])
    expect(await data(level)).toEqual(["LOCK"])
    expect(
      await failure(`
        m = graph.openManagement()
        i = m.buildIndex('other', Vertex.class).addKey(m.getPropertyKey('uid')).buildCompositeIndex()
        m.commit(); m = graph.openManagement(); m.setConsistency(i, ConsistencyModifier.LOCK)`)
    ).toContain("was built in another management transaction: get it by getGraphIndex('other')")
  })

  it("changes the name of a type to the last one that a management gives it", async () => {
    const { data, failure } = await running("schema.default=none")
    await data(`
      m = graph.openManagement()
      m.makePropertyKey('pa').dataType(String.class).make(); m.makePropertyKey('qa').dataType(String.class).make()
      m.makeVertexLabel('la').make(); m.commit()`)
    const change = (changes: string) =>
      `m = graph.openManagement(); k = m.getPropertyKey('pa'); q = m.getPropertyKey('qa'); l = m.getVertexLabel('la'); ${changes}; m.commit(); 1`
    const names = "m = graph.openManagement(); ['pa', 'pb', 'pc', 'qa'].findAll { m.containsPropertyKey(it) }.join(',')"
    await data(change("m.changeName(k, 'pb'); m.changeName(k, 'pa')"))
    expect(await data(names)).toEqual(["pa,qa"])
    for (const [again, taken] of [
      ["m.changeName(k, 'pb'); m.changeName(q, 'pb')", "property key pb"],
      ["m.changeName(k, 'pb'); m.makePropertyKey('pb').dataType(String.class).make()", "property key pb"],
      ["m.changeName(k, 'pb'); m.makeEdgeLabel('pb').make()", "property key pb"],
      ["m.makeEdgeLabel('pb').make(); m.changeName(k, 'pb')", "edge label pb"],
      ["m.changeName(l, 'lb'); m.makeVertexLabel('lb').make()", "vertex label lb"]
    ]) {
      expect(await failure(change(again!))).toContain(`there is a definition of the ${taken} already`)
    }
    await data(change("m.changeName(k, 'pb'); m.changeName(k, 'pc')"))
    expect(await data(names)).toEqual(["pc,qa"])
    await data("m = graph.openManagement(); m.makePropertyKey('pb').dataType(String.class).make(); m.commit()")
    expect(await data(names)).toEqual(["pb,pc,qa"])
  })

  it("shows the types of a graph without a management", async () => {
    const { data, failure } = await running()
    await data("g.addV('person').property('name', 'x').addE('knows').iterate()")
    expect(
      await data(
        "[graph.getPropertyKey('name').dataType().getSimpleName(), graph.getEdgeLabel('knows').name(), graph.getVertexLabel('person').name(), " +
          "graph.getRelationType('knows').isEdgeLabel(), graph.getRelationType('name').isPropertyKey()]"
      )
    ).toEqual(["String", "knows", "person", true, true])
    expect(
      await data(
        "[graph.containsPropertyKey('name'), graph.containsEdgeLabel('name'), graph.containsRelationType('name'), graph.containsVertexLabel('name')]"
      )
    ).toEqual([true, false, true, false])
    expect(await data("graph.getPropertyKey('knows') == null")).toEqual([true])
    expect(await failure("graph.getPropertyKey(5)")).toContain("the name of a type")
  })

  it("prints the schema as JanusGraph does", async () => {
    const { data } = await running()
    await data("g.addV('person').property('name', 'x').addE('knows').iterate()")
    await data("graph.createIndex('name', Vertex.class)")
    const [printed] = await data("graph.openManagement().printSchema()")
    expect(printed).toContain("person                         | false       | false                          ")
    expect(printed).toContain("knows                          | true        | false       | MULTI")
    expect(printed).toContain("name                           | SINGLE      | class java.lang.String")
    expect(printed).toContain("vertex:name                    | Composite   | false     | internalindex")
    expect(printed).toMatch(/name: +ENABLED/)
    expect((await data("graph.openManagement().printPropertyKeys()"))[0]).toContain("Property Key Name")
  })

  it("conflicts with a transaction that wrote under a name which was changed meanwhile", async () => {
    const { authority, data } = await running()
    await data("g.addV('person').property('name', 'x').addE('knows').to(__.addV('person')).iterate()")
    const client = await SocketClient.connect(authority)
    for (const [write, rename] of [
      ["g.V().has('name', 'x').property('name', 'y').iterate()", "mgmt.getPropertyKey('name'), 'title'"],
      ["g.V().limit(1).as('a').addE('knows').to('a').iterate()", "mgmt.getEdgeLabel('knows'), 'likes'"]
    ]) {
      const session = { session: rename }
      await client.eval(write!, session)
      await data(`mgmt = graph.openManagement(); mgmt.changeName(${rename}); mgmt.commit()`)
      const answer = await client.eval("g.tx().commit()", session)
      expect(answer.status).toMatchObject({ code: 596 })
    }
  })

  it("changes names, adds keys to mixed indexes and drops indexes", async () => {
    const { data } = await running()
    await data("g.addV('person').property('name', 'x y').property('age', 3).iterate()")
    await data(`
      mgmt = graph.openManagement()
      mgmt.changeName(mgmt.getPropertyKey('name'), 'title')
      mgmt.changeName(mgmt.getVertexLabel('person'), 'human')
      mgmt.commit()
      mgmt = graph.openManagement()
      mgmt.buildIndex('words', Vertex.class).addKey(mgmt.getPropertyKey('title')).buildMixedIndex('search')
      mgmt.commit()
      ManagementSystem.awaitGraphIndexStatus(graph, 'words').status(SchemaStatus.ENABLED).timeout(10, ChronoUnit.SECONDS).call()
      mgmt = graph.openManagement()
      mgmt.addIndexKey(mgmt.getGraphIndex('words'), mgmt.getPropertyKey('age'))
      mgmt.commit()
      mgmt = graph.openManagement()
      mgmt.updateIndex(mgmt.getGraphIndex('words'), SchemaAction.REINDEX).get()
      mgmt.commit()`)
    expect(await data("g.V().hasLabel('human').has('title', textContains('Y')).count()")).toEqual([1])
    expect(await data("g.V().has('age', lt(4)).count()")).toEqual([1])
    expect(JSON.stringify(await data("g.V().has('age', lt(4)).explain()"))).toContain("index words")
    await data(`
      mgmt = graph.openManagement()
      mgmt.updateIndex(mgmt.getGraphIndex('words'), SchemaAction.DISABLE_INDEX).get()
      mgmt.commit()`)
    expect(JSON.stringify(await data("g.V().has('age', lt(4)).explain()"))).toContain("full scan")
    await data("g.V().property('age', 9).iterate()")
    await data(`
      mgmt = graph.openManagement()
      mgmt.updateIndex(mgmt.getGraphIndex('words'), SchemaAction.ENABLE_INDEX).get()
      mgmt.commit()`)
    expect(await data("g.V().has('age', gt(4)).count()")).toEqual([1])
    const act = (action: string) =>
      `mgmt = graph.openManagement(); mgmt.updateIndex(mgmt.getGraphIndex('words'), SchemaAction.${action}).get()`
    for (const action of ["DISABLE_INDEX", "DISCARD_INDEX", "DROP_INDEX"]) await data(act(action))
    expect(await data("graph.openManagement().containsGraphIndex('words')")).toEqual([false])
  })

  it("waits for an index for a time in units with an exact length, and refuses other units", async () => {
    const { data, failure } = await running()
    await data("g.addV('n').property('k', 'a').iterate()")
    await data(
      "mgmt = graph.openManagement(); mgmt.buildIndex('ks', Vertex.class).addKey(mgmt.getPropertyKey('k')).buildCompositeIndex(); mgmt.commit()"
    )
    const waiting = (unit: string) =>
      `ManagementSystem.awaitGraphIndexStatus(graph, 'ks').status(SchemaStatus.ENABLED).timeout(1, ${unit}).call().getSucceeded()`
    for (const unit of ["ChronoUnit.HALF_DAYS", "TimeUnit.DAYS"]) expect(await data(waiting(unit))).toEqual([true])
    expect(await failure(waiting("ChronoUnit.MONTHS"))).toContain(
      "timeout() does not know the unit MONTHS: it takes one with an exact length, such as ChronoUnit.SECONDS"
    )
  })

  it("applies an action only to an index with a status that allows it, as JanusGraph's SchemaAction", async () => {
    const { data, failure } = await running()
    await data("g.addV('n').property('k', 'a').addV('n').property('k', 'b').iterate()")
    await data(`
      mgmt = graph.openManagement()
      mgmt.buildIndex('byK', Vertex.class).addKey(mgmt.getPropertyKey('k')).buildCompositeIndex()
      mgmt.commit(); ManagementSystem.awaitGraphIndexStatus(graph, 'byK').call()`)
    const act = (action: string) =>
      `mgmt = graph.openManagement(); job = mgmt.updateIndex(mgmt.getGraphIndex('byK'), SchemaAction.${action}); result = job.get()`
    const status = async () =>
      (await data("graph.openManagement().getGraphIndex('byK')?.getIndexStatus()?.toString()"))[0]
    for (const action of ["MARK_DISCARDED", "DISCARD_INDEX", "DROP_INDEX"]) {
      expect(await failure(act(action))).toContain(
        `Update action [${action}] cannot be invoked for index with status [ENABLED]`
      )
    }
    expect(
      await data(`${act("REINDEX")}; [result.get(ScanMetrics.Metric.SUCCESS), result.get(ScanMetrics.Metric.FAILURE)]`)
    ).toEqual([2, 0])
    expect(await failure(`${act("REINDEX")}; result.getCustom('adds')`)).toContain("jobs count vertices only")
    await data(act("DISABLE_INDEX"))
    expect(await failure(act("REGISTER_INDEX"))).toContain("with status [DISABLED]")
    await data(act("ENABLE_INDEX"))
    expect(await data("g.V().has('k', 'a').count()")).toEqual([1])
    await data(act("DISABLE_INDEX"))
    await data(act("MARK_DISCARDED"))
    expect(await status()).toBe("DISCARDED")
    expect(await failure(act("ENABLE_INDEX"))).toContain("with status [DISCARDED]")
    await data(act("DISCARD_INDEX"))
    expect(await status()).toBe("DISCARDED")
    expect(await data(act("DROP_INDEX"))).toEqual([null])
    expect(await status()).toBeNull()
    expect(await data("g.V().has('k', 'a').count()")).toEqual([1])
  })

  it("builds an index of existing elements, which is complete when the waiting call returns", async () => {
    const { authority, data } = await running()
    await data("g.inject(1).repeat(addV('n').property('k', 'a b')).times(20).iterate()")
    await data("g.addV('n').property('k', 'c').iterate()")
    await data(`
      mgmt = graph.openManagement()
      mgmt.buildIndex('byK', Vertex.class).addKey(mgmt.getPropertyKey('k')).buildCompositeIndex()
      mgmt.commit()`)
    const [report] = await data("ManagementSystem.awaitGraphIndexStatus(graph, 'byK').call()")
    const { text } = await http(authority, { path: "/metrics" })
    expect(text).toMatch(/^engine_server_indexes_building 0$/m)
    expect(text).not.toMatch(/^engine_server_index_building_vertices\{/m)
    expect(report).toContain(
      "success=true, indexName='byK', targetStatus=[REGISTERED], notConverged={}, converged={k=ENABLED}"
    )
    expect(JSON.stringify(await data("g.V().has('k', 'c').explain()"))).toContain("index byK")
    expect(await data("g.V().has('k', 'c').count()")).toEqual([1])
  })

  it("refuses full scans when traversals must use an index", async () => {
    const { data, failure } = await running("query.force-index=true")
    await data("g.addV('person').property('name', 'a').property('age', 1).iterate()")
    await data("graph.createIndex('name', Vertex.class)")
    expect(await failure("g.V().has('age', 1)")).toContain("query.force-index forbids")
    expect(await failure("g.V()")).toContain("Begin with an id, or with has() on an indexed key")
    expect(await data("g.V().has('name', 'a').has('age', 1).values('age')")).toEqual([1])
    expect(await data("g.V().count()")).toEqual([1])
    expect(await data("g.V().groupCount().by(label)")).toEqual([{ person: 1 }])
  })

  it("uses an index of edges, also in the middle of traversals and in their children", async () => {
    const { data, failure } = await running("query.force-index=true")
    await data("g.addV('a').property('name', 'a').as('a').addE('knows').to('a').property('since', 1).iterate()")
    await data("graph.createIndex('name', Vertex.class)")
    for (const scan of [
      "g.E().has('since', 1)",
      "g.E()",
      "g.V().has('name', 'a').V().has('age', 1)",
      "g.V().has('name', 'a').where(__.V().has('age', 1))",
      "g.inject(1).union(__.V(), __.E())",
      "g.mergeV([(T.label): 'b', age: 7])"
    ]) {
      expect(await failure(scan)).toContain("query.force-index forbids")
    }
    await data("graph.createIndex('age', Vertex.class)")
    await data("graph.createIndex('since', Edge.class)")
    expect(await data("g.E().has('since', 1).count()")).toEqual([1])
    expect(await data("g.V().has('name', 'a').V().has('name', 'a').count()")).toEqual([1])
    expect(await data("g.V().has('name', 'a').where(__.V().has('name', 'a')).count()")).toEqual([1])
    expect(await data("g.V().has('name', 'a').where(__.out('knows').has('name', 'a')).count()")).toEqual([1])
    await data("g.mergeV([(T.label): 'b', age: 7]).iterate()")
    for (const traversal of ["g.E().has('since', 1)", "g.V().has('name', 'a').V().has('age', 7)"]) {
      expect(JSON.stringify(await data(`${traversal}.profile()`))).toMatch(/edge:since|vertex:age/)
      expect(JSON.stringify(await data(`${traversal}.explain()`))).not.toContain("full scan")
    }
  })

  it("accepts ids of vertices from clients, also texts", async () => {
    const { data, failure } = await running("graph.set-vertex-id=true", "graph.allow-custom-vid-types=true")
    await data(
      "g.addV('person').property(T.id, 'alice').as('a').addV('person').property(T.id, 512L).addE('knows').from('a').iterate()"
    )
    expect(await data("g.V('alice').out('knows').id()")).toEqual([512])
    expect((await data("g.E().id()"))[0]).toMatch(/^[0-9a-z]+-Salice-[0-9a-z]+-e8$/)
    expect(await data("g.E(g.E().next().id()).outV().id()")).toEqual(["alice"])
    expect(await failure("g.addV('person').property(T.id, 'alice')")).toContain("already exists")
    expect(await failure("g.addV('person').property(T.id, 'a-b')")).toContain("a-b")
    expect(await failure("g.addV('person').property(T.id, 7L)")).toContain("multiple of 8")
  })

  it("can be used across the requests of a session", async () => {
    const { authority } = await running()
    const client = await SocketClient.connect(authority)
    const send = async (gremlin: string) => {
      const id = client.send("eval", "session", { gremlin, session: "s-1", manageTransaction: false })
      const frames = await client.answers(id)
      expect(frames.at(-1)!.status.code).toBeLessThan(300)
      return frames.flatMap(({ result }) => (result.data ?? []) as ReadonlyArray<unknown>)
    }
    await send("mgmt = graph.openManagement()")
    await send("mgmt.makePropertyKey('name').dataType(String.class).make()")
    await send("mgmt.commit()")
    expect(await send("graph.openManagement().containsPropertyKey('name')")).toEqual([true])
  })

  it("is refused with a reason for a graph in memory", async () => {
    const server = await startServer()
    const answer = await post(server.authority, "graph.openManagement()")
    expect(answer.status).not.toBe(200)
    expect(answer.text).toContain("graph.createIndex('key', Vertex.class)")
  })
})
