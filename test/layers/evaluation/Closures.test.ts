import { describe, expect, it } from "vitest"
import { modernSession } from "../support/DriverClient.ts"

describe("A closure in a step", () => {
  it("filters by what it reads of its traverser", async () => {
    const asked = await modernSession()
    expect(await asked("g.V().hasLabel('person').filter{it.get().value('age') > 30}.values('name')")).toEqual([
      "josh",
      "peter"
    ])
    expect(await asked("g.V().filter({it.get().label() == 'software'}).count()")).toEqual([2])
    expect(await asked("g.V().where(__.out().filter{it.get().value('name') == 'lop'}).count()")).toEqual([3])
  })

  it("maps, and gives several results in flatMap()", async () => {
    const asked = await modernSession()
    expect(await asked("g.V(1).out().map{it.get().value('name')}.order()")).toEqual(["josh", "lop", "vadas"])
    expect(await asked("g.V(1).flatMap{it.get().vertices(OUT, 'created')}.map{it.get().value('name')}")).toEqual([
      "lop"
    ])
    expect(await asked("g.V(1, 2).map{ v -> v.get().id() * 10 }")).toEqual([10, 20])
  })

  it("fails if it reads the one value of a key that has several", async () => {
    const asked = await modernSession()
    await asked("g.addV('x').property(list, 'at', 1).property(list, 'at', 2).iterate()")
    const several = 'there are several properties with the key "at": use properties() or values()'
    for (const read of ["value('at')", "property('at')"]) {
      await expect(asked(`g.V().hasLabel('x').map{it.get().${read}}`), read).rejects.toThrow(several)
      await expect(asked(`g.V().hasLabel('x').next().${read}`), read).rejects.toThrow(several)
    }
    expect(
      await asked("try { g.V().hasLabel('x').next().value('at') } catch (IllegalStateException e) { e.message }")
    ).toEqual(["Multiple properties exist for the provided key, use Vertex.properties(at)"])
    expect(await asked("g.V().hasLabel('x').next().values('at').toList()")).toEqual([1, 2])
  })

  it("fails only when a traverser reaches it whose results are wanted", async () => {
    const asked = await modernSession()
    // The third vertex has no age.
    expect(await asked("g.V().map{it.get().value('age')}.limit(2)")).toEqual([29, 27])
    expect(await asked("g.V().filter{it.get().value('age') > 28}.limit(1).values('name')")).toEqual(["marko"])
    await expect(asked("g.V().filter{it.get().value('age') > 28}.limit(2)")).rejects.toThrow(
      /Line 1, column 23: there is no property with the key "age"/
    )
    expect(await asked("try { g.V().map{it.get().value('age')}.toList() } catch (e) { e.message }")).toEqual([
      expect.stringContaining('no property with the key "age"')
    ])
  })

  it("sees what an earlier closure has done for the same traverser", async () => {
    const asked = await modernSession()
    await asked("last = null")
    expect(await asked("g.V().sideEffect{ last = it.get().id() }.filter{ it.get().id() == last }.count()")).toEqual([6])
    expect(
      await asked(
        "seen = []; g.V().map{ it.get().id() }.filter{ it.get() > 3 }.sideEffect{ seen << it.get() }.iterate(); seen"
      )
    ).toEqual([4, 5, 6])
  })

  it("sees what a later closure has done for the traverser before", async () => {
    const asked = await modernSession()
    const labels = (script: string) => asked(`${script}.next().collectMany{ it.value }.size()`)
    expect(await labels("def n = 0; g.V().filter{ n < 2 }.group().by{ n++; it.label() }")).toEqual([2])
    expect(
      await labels("def seen = []; g.V().filter{ seen.size() < 2 }.group().by{ seen << it.id(); it.label() }")
    ).toEqual([2])
    expect(
      await labels("def seen = [1]; g.V(1, 2, 2).filter{ it.get().id() in seen }.group().by{ seen << 2; it.label() }")
    ).toEqual([3])
    expect(await labels("def n = 1; g.V().filter{ it.get().id() > n }.group().by{ it.label() }")).toEqual([5])
  })

  it("runs traversals, and uses the variables around it", async () => {
    const asked = await modernSession()
    await asked("least = 1; seen = []")
    expect(await asked("g.V().filter{g.V(it.get()).out().count().next() > least}.values('name')")).toEqual([
      "marko",
      "josh"
    ])
    await asked("g.V().hasLabel('person').sideEffect{ seen << it.get().value('name') }.iterate()")
    expect(await asked("seen")).toEqual(["marko", "vadas", "josh", "peter"])
  })

  it("is a key of by(), a condition of until() and emit(), and a choice", async () => {
    const asked = await modernSession()
    expect(await asked("g.V().order().by{it.value('name')}.values('name').limit(2)")).toEqual(["josh", "lop"])
    expect(await asked("g.V().group().by{it.value('name')[1]}.by('name').next().size()")).toEqual([4])
    expect(await asked("g.V(1).repeat(out()).until{it.loops() == 2}.values('name').order()")).toEqual(["lop", "ripple"])
    expect(
      await asked(
        "g.V().branch{it.get().value('name')}.option('marko', values('age')).option(none, values('name')).count()"
      )
    ).toEqual([6])
    expect(
      await asked(
        "g.V().hasLabel('person').choose{it.value('age')}.option(27, constant('young')).option(none, constant('old'))"
      )
    ).toEqual(["old", "young", "old", "old"])
  })

  it("changes the graph with the methods of its element", async () => {
    const asked = await modernSession()
    await asked("g.V().hasLabel('person').sideEffect{ it.get().property('old', it.get().value('age') > 30) }.iterate()")
    expect(await asked("g.V().has('old', true).values('name')")).toEqual(["josh", "peter"])
  })

  it("reports its errors with their place", async () => {
    const asked = await modernSession()
    await expect(asked("g.V().map{it.get().value('nothing')}")).rejects.toThrow("no property with the key")
    await expect(asked("g.V().map{it.getClass2()}")).rejects.toThrow("A traverser has no method")
  })
})

describe("A closure", () => {
  it("catches the error of a traversal that it runs", async () => {
    const asked = await modernSession()
    const caught = "try { g.V().fail('no').next() } catch (Exception e) { 'caught' } finally { g.inject(1).next() }"
    expect(await asked(`g.V().limit(2).map{ ${caught} }.toList()`)).toEqual(["caught", "caught"])
  })
})

describe("A plan that closures share", () => {
  it("calls the closure of each run, with its variables", async () => {
    const asked = await modernSession()
    expect(
      await asked("(1..3).collect { n -> g.V().filter { it.get().id() > n }.map { it.get().id() * n }.toList().sum() }")
    ).toEqual([20, 36, 45])
    expect(
      await asked("[1, -1].collect { sign -> g.V().id().order().by { a, b -> sign * (a <=> b) }.next() }")
    ).toEqual([1, 6])
    expect(await asked("(1..2).collect { n -> g.inject(1, 2).fold(n) { a, b -> a + n * b }.next() }")).toEqual([4, 8])
    expect(await asked("(1..2).collect { n -> g.withSack { n }.V(1).sack { a, b -> a + n }.sack().next() }")).toEqual([
      2, 4
    ])
    expect(
      await asked(
        "(1..2).collect { n -> g.withSideEffect('x', n) { a, b -> a + b * n }.V(1).id().store('x').cap('x').next() }"
      )
    ).toEqual([2, 4])
  })

  it("runs inside of itself", async () => {
    const asked = await modernSession()
    expect(
      await asked(
        "def paths(v) { g.V(v).out().map { [it.get().id(), paths(it.get().id())] }.toList() }; paths(1).toString()"
      )
    ).toEqual(["[[3, []], [2, []], [4, [[5, []], [3, []]]]]"])
  })

  it("changes when a closure begins to have effects", async () => {
    const asked = await modernSession()
    const script =
      "def seen = []; def keep = { it.get().id() > 0 }; def log = { seen << it.get().id(); true }; " +
      "[keep, log].each { c -> g.V().filter(c).limit(2).iterate() }; seen"
    // As in TinkerPop, limit(2) asks for a third traverser. A closure without effects gets all six at once.
    expect(await asked(script)).toEqual([1, 2, 3])
  })
})

describe("The strategies of a source", () => {
  it("hold for what closures write: a read-only source refuses it", async () => {
    const asked = await modernSession()
    const writes = ["it.get().property('a', 1)", "it.get().addEdge('x', it.get())", "it.get().remove()"]
    for (const write of writes) {
      await expect(asked(`g.withStrategies(ReadOnlyStrategy).V().sideEffect{ ${write} }.iterate()`)).rejects.toThrow(
        "mutating step"
      )
    }
    expect(await asked("[g.V().count().next(), g.E().count().next(), g.V().has('a').count().next()]")).toEqual([
      6, 6, 0
    ])
  })

  it("hold for what closures read: SubgraphStrategy hides vertices, edges and properties from each method", async () => {
    const asked = await modernSession()
    const strategy =
      "new SubgraphStrategy(vertices: hasLabel('person'), edges: has('weight', gt(0.4d)), vertexProperties: hasNot('secret'))"
    await asked("g.V(1).properties('age').property('secret', 1).iterate()")
    await asked(`s = ${strategy}; g2 = g.withStrategies(s)`)
    const hidden: ReadonlyArray<readonly [closure: string, seen: unknown]> = [
      ["it.get().vertices(OUT).collect { it.value('name') }.sort()", [["josh", "vadas"]]],
      ["it.get().vertices(OUT, 'created').toList().size()", [0]],
      ["it.get().edges(OUT).collect { it.value('weight') }.sort()", [[0.5, 1]]],
      ["it.get().values().toList()", [["marko"]]],
      ["it.get().properties().collect { it.value() }", [["marko"]]],
      ["it.get().keys().toList()", [["name"]]],
      ["it.get().property('age').isPresent()", [false]],
      ["it.get().values('age', 'name').toList()", [["marko"]]],
      ["it.get().query().vertices().size()", [2]],
      ["try { it.get().value('age') } catch (e) { 'none' }", ["none"]],
      ["def look = { v -> v.values('age').toList().size() }; look(it.get())", [0]],
      ["lop.values('name').toList().size()", [0]],
      ["lop.vertices(IN).toList().size()", [0]],
      ["created.properties().toList().size()", [0]],
      ["try { created.inVertex() } catch (e) { 'none' }", ["none"]]
    ]
    await asked("lop = g.V(3).next(); created = g.E(9).next()")
    for (const source of ["g2", "g.withStrategies(s)", `g.withStrategies(${strategy})`]) {
      for (const [closure, seen] of hidden) {
        expect.soft(await asked(`${source}.V(1).map { ${closure} }`), `${source} ${closure}`).toEqual(seen)
      }
    }
    expect(await asked("g2.V().filter { it.get().values('age').hasNext() }.values('name')")).toEqual([
      "vadas",
      "josh",
      "peter"
    ])
    expect(
      await asked("g2.V().order().by { a, b -> b.value('name') <=> a.value('name') }.limit(1).values('name')")
    ).toEqual(["vadas"])
    expect(await asked("g2.E().map { it.get().inVertex().value('name') }.order()")).toEqual(["josh", "vadas"])
    await expect(asked("g.withStrategies(new SubgraphStrategy(vertices: __.filter { true })).V()")).rejects.toThrow(
      "no closures in its criteria"
    )
  })

  it("hold for what closures read and write: PartitionStrategy", async () => {
    const asked = await modernSession()
    await asked(
      "a = g.withStrategies(new PartitionStrategy(partitionKey: 'p', writePartition: 'a', readPartitions: ['a'])); " +
        "b = g.withStrategies(new PartitionStrategy(partitionKey: 'p', writePartition: 'b', readPartitions: ['a', 'b']))"
    )
    await asked("b.addV('x').property('n', 1).as('x').addV('x').property('n', 2).addE('e').from('x').iterate()")
    await asked("a.addV('x').property('n', 3).iterate()")
    expect(await asked("b.V().has('n', 1).map { it.get().vertices(OUT).next().value('n') }")).toEqual([2])
    await asked("other = g.V().has('n', 1).next()")
    expect(await asked("a.V().map { it.get().value('n') }")).toEqual([3])
    expect(await asked("a.V().map { other.values('n').toList().size() + other.edges(OUT).toList().size() }")).toEqual([
      0
    ])
    await expect(asked("a.V().sideEffect { other.property('n', 9) }.iterate()")).rejects.toThrow(/not in the graph/)
    await asked("a.V().sideEffect { it.get().addEdge('self', it.get()) }.iterate()")
    expect(await asked("[a.E().count().next(), g.E().has('p', 'a').count().next()]")).toEqual([1, 1])
    expect(await asked("g.V().has('n', 1).count()")).toEqual([1])
  })

  it("may allow no closures", async () => {
    const asked = await modernSession()
    await expect(
      asked("g.withStrategies(LambdaRestrictionStrategy).V().filter{it.get().value('age') > 30}")
    ).rejects.toThrow("lambda step")
  })
})

describe("The setting closures", () => {
  it("refuses closures with their place if it is false", async () => {
    const asked = await modernSession({ closures: false })
    await expect(asked("g.V().filter{it.get().value('age') > 30}")).rejects.toThrow("closures=false")
    expect(await asked("[1, 2].collect{it + 1}")).toEqual([2, 3])
  })
})
