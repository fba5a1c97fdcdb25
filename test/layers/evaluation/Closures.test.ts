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

  it("that hide a part of the graph refuse closures", async () => {
    const asked = await modernSession()
    const closure = "V().filter{it.get().value('age') > 30}"
    await expect(
      asked(`g.withStrategies(new SubgraphStrategy(vertices: hasLabel('person'))).${closure}`)
    ).rejects.toThrow("SubgraphStrategy allows no closures")
    await expect(
      asked(`g.withStrategies(new PartitionStrategy(partitionKey: 'p', readPartitions: ['a'])).${closure}`)
    ).rejects.toThrow("PartitionStrategy allows no closures")
    await expect(asked(`g.withStrategies(LambdaRestrictionStrategy).${closure}`)).rejects.toThrow("lambda step")
  })
})

describe("The setting closures", () => {
  it("refuses closures with their place if it is false", async () => {
    const asked = await modernSession({ closures: false })
    await expect(asked("g.V().filter{it.get().value('age') > 30}")).rejects.toThrow("closures=false")
    expect(await asked("[1, 2].collect{it + 1}")).toEqual([2, 3])
  })
})
