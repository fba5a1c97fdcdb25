import { describe, expect, it } from "vitest"
import type { GraphStore } from "../../src/structure/graph/GraphStore.ts"
import { text } from "../../src/structure/texts/Text.ts"
import { LaterGraph } from "../storage/LaterGraph.ts"
import { emptyGraph } from "../storage/memory/Fixture.ts"
import { prepare, run, runLater } from "./run.ts"

/** A graph with a hub, `persons` persons around it, and one thing for each person. Names have an index. */
const crowd = async (persons: number) => {
  const graph = emptyGraph()
  await graph.management.createIndex("name", "vertex")
  const writing = graph.begin()
  const add = (label: string, properties: Readonly<Record<string, unknown>>): number => {
    const ref = writing.addVertex(label, undefined)
    for (const [key, value] of Object.entries(properties)) {
      writing.setVertexProperty(ref, null, key, value)
    }
    return ref
  }
  const hub = add("hub", { name: "hub" })
  for (let i = 0; i < persons; i++) {
    const person = add("person", { name: `p${i}`, age: 20 + (i % 50) })
    writing.addEdge(hub, "knows", person, undefined)
    const thing = add("thing", { name: `t${i}` })
    writing.setEdgeProperty(writing.addEdge(person, "has", thing, undefined), "since", 1)
  }
  await writing.commit()
  return graph
}

const hub = "g.V().hasLabel('hub')"
const known = `${hub}.out('knows')`
const persons = "g.V().hasLabel('person')"

/** A traversal, and its number of round trips to the store with 3 persons and with 200. */
type Row = readonly [script: string, three: number, twoHundred: number]

/** Runs a traversal with a store that answers later and with a synchronous one, and compares the results. */
const same = async (script: string, size: number) => {
  const [later, graph] = [new LaterGraph(await crowd(size)), await crowd(size)]
  const answered = await runLater(later, script, { as: text })
  expect(answered).toEqual(run(graph, script, { as: text }))
  return { later, graph }
}

const contents = (graph: GraphStore): ReadonlyArray<unknown> =>
  ["g.V().elementMap()", "g.E().elementMap()"].map((all) => run(graph, all, { as: text }))

const asks = ([script, ...expected]: Row): void => {
  it(`in ${expected.join(" and ")} round trips: ${script}`, async () => {
    const trips: Array<number> = []
    for (const size of [3, 200]) {
      const { later, graph } = await same(script, size)
      if (prepare(script).writes) expect(contents(later.inner)).toEqual(contents(graph))
      trips.push(later.roundTrips)
    }
    expect(trips).toEqual(expected)
  })
}

describe("With a store that answers later, a traversal reads in batches", () => {
  // Traversals from the hub need the same number of round trips for any number of persons. A scan of 401 vertices has six batches, each of
  // which passes all steps.
  const plans: ReadonlyArray<Row> = [
    ["g.V().count()", 1, 6],
    [`${hub}.out()`, 4, 4],
    [`${hub}.out('knows').values('name')`, 4, 4],
    [`${hub}.outE('knows').inV().values('name')`, 4, 4],
    [`${hub}.out('knows').out('has').values('name')`, 5, 5],
    [`${hub}.out('knows').out('has').dedup().count()`, 4, 4],
    [`${hub}.repeat(__.out()).times(2).values('name')`, 5, 5],
    [`${hub}.repeat(__.out()).emit().path().by('name')`, 7, 7],
    [`${hub}.as('h').out('knows').as('p').select('h', 'p').by('name')`, 4, 4],
    [`${persons}.values('name')`, 3, 15],
    [`${persons}.valueMap()`, 3, 15],
    [`${persons}.where(__.out('has'))`, 4, 20],
    [`${persons}.where(__.out('has').has('name', 't1'))`, 5, 21],
    [`${persons}.not(__.out('knows')).count()`, 3, 15],
    [`${persons}.project('a', 'b').by('name').by(__.out('has').count())`, 4, 20],
    [`${persons}.group().by('age').by(__.out('has').values('name').fold())`, 5, 17],
    [`${persons}.order().by('age').limit(2).values('name')`, 4, 16],
    [`${persons}.coalesce(__.out('nope'), __.out('has')).values('name')`, 5, 25],
    [`${persons}.optional(__.out('has')).values('name')`, 4, 20],
    [`${persons}.local(__.out('has').limit(1)).values('name')`, 4, 20],
    [`${persons}.choose(__.has('age', 20), __.out('has'), __.in('knows')).values('name')`, 6, 25],
    [`${persons}.union(__.values('name'), __.out('has'))`, 4, 20],
    [`${known}.order().by(__.out('has').values('name')).values('name')`, 6, 6],
    [`${known}.map(__.out('has').values('name'))`, 5, 5],
    [`${known}.V().has('name', 'hub').values('name')`, 5, 5],
    [`${known}.match(__.as('a').out('has').as('b'), __.as('b').values('name').as('c')).select('c')`, 5, 5]
  ]
  for (const row of plans) asks(row)
})

describe("With a store that answers later, a step that processes row by row reads ahead", () => {
  const plans: ReadonlyArray<Row> = [
    [`${known}.union(__.out('has').values('name'), __.values('name'))`, 5, 5],
    [`${known}.union(__.out('has').has('name', 't1'), __.in('knows').has('name', 'hub'))`, 7, 7],
    [`${known}.union(__.out('has').in('has'), __.identity()).out('has').values('name')`, 6, 6],
    [`${known}.union(__.union(__.out('has').values('name'), __.values('age')), __.values('name'))`, 5, 5],
    [`${known}.local(__.union(__.out('has').values('name'), __.values('name')))`, 6, 5],
    [`${known}.where(__.union(__.out('has').has('name', 't1'), __.has('age', 22)))`, 7, 7],
    [`${known}.choose(__.has('age', gt(22)), __.out('has').values('name'), __.in('knows').values('name'))`, 6, 7],
    [
      `${known}.choose(__.values('age')).option(21, __.out('has').in('has')).option(none, __.out('has')).values('name')`,
      8,
      8
    ],
    [
      `${known}.branch(__.values('age')).option(21, __.out('has').in('has')).option(any, __.out('has')).values('name')`,
      8,
      8
    ],
    [`${known}.coalesce(__.out('nope'), __.out('has').values('name'))`, 6, 6],
    [`${known}.local(__.out('has').in('has').out('has').values('name').limit(1))`, 6, 6],
    [`${known}.flatMap(__.out('has').in('has').values('name'))`, 6, 6],
    [`${known}.optional(__.out('has').has('name', 't1'))`, 6, 6],
    [`${known}.emit().repeat(__.out('has')).until(__.out('nope')).values('name')`, 6, 6],
    [`${known}.until(__.has('name', 't1')).repeat(__.both()).emit().limit(9).values('name')`, 7, 8],
    [`${known}.repeat(__.out()).emit(__.has('name')).until(__.hasLabel('thing')).values('name')`, 6, 6],
    [`${known}.repeat(__.union(__.out('has').in('has'), __.out('has'))).times(2).values('name')`, 8, 11],
    [
      `${known}.match(__.or(__.as('a').out('has').as('b'), __.as('a').out('nope').as('b')), __.as('b').values('name').as('c'))`,
      7,
      7
    ]
  ]
  for (const row of plans) asks(row)
})

/** The effects of one row may be visible to the next. */
describe("With a store that answers later, a traversal that runs row by row reads for several rows together", () => {
  const plans: ReadonlyArray<Row> = [
    [`${known}.property('x', 1)`, 4, 4],
    [`${known}.as('p').addE('self').to('p').property('z', 1)`, 4, 4],
    [`${known}.store('x').by('name').store('y').by('age').cap('x', 'y')`, 4, 4],
    [`${persons}.as('p').addE('self').to('p')`, 2, 10],
    [`${persons}.drop()`, 3, 15],
    [`${known}.has('age', gte(20)).property('x', 1)`, 5, 5],
    [`${known}.has('age', gte(20)).has('name', neq('p3')).property('x', 1)`, 5, 5],
    [`${known}.out('has').has('name').property('x', 1).values('name')`, 6, 6],
    [`${known}.property('x', 1).out('has').values('name')`, 5, 5],
    [`${known}.property('x', __.out('has').values('name'))`, 6, 6],
    [`${known}.property('x', __.out('has').count()).values('x')`, 5, 5],
    [`${known}.as('p').out('has').addE('back').to('p')`, 5, 5],
    [`${known}.has('age', gte(20)).addE('back').to(__.out('has'))`, 6, 6],
    [`${known}.addE('back').from(__.out('has').in('has')).to(__.out('has')).property('n', __.values('name'))`, 7, 7],
    [`${known}.where(__.out('has').has('name', 't1')).property('x', 1)`, 6, 6],
    [`${known}.where(__.out('has').in('has').has('age', gte(20))).property('x', 1)`, 7, 7],
    [`${known}.not(__.out('nope')).property('x', 1)`, 5, 5],
    [`${known}.filter(__.out('has').count().is(1)).property('x', 1)`, 5, 5],
    [`${known}.and(__.out('has'), __.in('knows').has('name', 'hub')).property('x', 1)`, 7, 7],
    [`${known}.or(__.out('nope'), __.out('has').has('name', 't2')).property('x', 1)`, 7, 7],
    [`${known}.union(__.out('has').values('name'), __.values('name')).store('x').cap('x')`, 5, 5],
    [`${known}.union(__.property('x', 1), __.out('has').property('y', 1)).values('name')`, 5, 5],
    [`${known}.choose(__.has('age', gt(20)), __.out('has'), __.in('knows')).property('x', 1)`, 7, 7],
    [`${known}.choose(__.out('has').has('name', 't1'), __.property('y', 1), __.property('z', 1)).values('name')`, 6, 6],
    [`${known}.coalesce(__.out('nope'), __.out('has')).property('x', 1)`, 6, 6],
    [`${known}.coalesce(__.has('age', 20).property('a', 1), __.out('has').property('b', 1)).values('name')`, 7, 7],
    [`${known}.optional(__.out('has')).property('x', 1)`, 5, 5],
    [`${known}.local(__.out('has').property('x', 1)).values('name')`, 5, 5],
    [`${known}.flatMap(__.out('has')).property('x', 1)`, 5, 5],
    [`${known}.map(__.out('has').values('name').fold()).store('x').cap('x')`, 5, 5],
    [`${known}.sideEffect(__.out('has').property('x', 1)).values('name')`, 6, 6],
    [`${known}.repeat(__.out('has')).times(1).property('x', 1)`, 5, 5],
    [`${known}.repeat(__.out()).emit().property('x', 1)`, 6, 6],
    [`${known}.until(__.hasLabel('thing')).repeat(__.out()).property('x', 1)`, 7, 7],
    [`${known}.repeat(__.out('has').property('x', 1)).times(1).values('name')`, 5, 5],
    [`${known}.order().by(__.out('has').values('name')).property('x', 1)`, 6, 6],
    [`${known}.dedup().by('age').property('x', 1)`, 5, 5],
    [`${known}.skip(1).property('x', 1)`, 4, 4],
    [`${known}.range(1, 3).out('has').property('x', 1)`, 5, 5],
    [`${known}.coin(1.0).has('age').property('x', 1)`, 5, 5],
    [`${known}.group('g').by('age').has('age').property('x', 1)`, 5, 5],
    [`${known}.store('g').by(__.out('has').values('name')).out('has').property('x', 1)`, 6, 6],
    [`${known}.outE('has').has('since', 1).property('x', 1).inV().property('y', 1)`, 7, 7],
    [`${known}.outE('has').has('since', 1).drop()`, 6, 6],
    [`${known}.out('has').drop()`, 5, 5],
    [`${known}.as('a').out('has').as('b').where('a', neq('b')).by('name').property('x', 1)`, 6, 6],
    [`${known}.project('a', 'b').by('name').by(__.out('has').values('name')).store('x').cap('x')`, 6, 6],
    [
      `${known}.match(__.as('a').out('has').as('b'), __.as('b').values('name').as('c')).select('a', 'b').store('x').cap('x')`,
      6,
      6
    ],
    [`${known}.as('p').addV('note').property('of', __.select('p').values('name')).addE('about').to('p')`, 4, 4],
    [`${known}.as('p').addV('note').as('n').select('p').out('has').addE('x').to('n')`, 5, 5],
    [`${known}.as('p').V().hasLabel('hub').addE('back').to('p')`, 4, 4],
    [`${known}.as('p').V().has('name', 'hub').addE('back').to('p')`, 6, 6],
    [
      `${known}.as('p').mergeE([(T.label): 'm', (Direction.from): Merge.outV, (Direction.to): Merge.inV]).option(Merge.outV, __.select('p')).option(Merge.inV, __.select('p').out('has'))`,
      7,
      7
    ],
    [
      `${known}.as('p').mergeE([(T.label): 'has', (Direction.from): Merge.outV, (Direction.to): Merge.inV]).option(Merge.outV, __.select('p')).option(Merge.inV, __.select('p').out('has')).option(Merge.onMatch, [z: 1])`,
      8,
      8
    ],
    [`${known}.as('p').values('name').as('n').mergeV(__.project('name').by(__.select('n')))`, 6, 6],
    [
      `${known}.mergeV(__.valueMap('name').by(__.unfold())).option(Merge.onMatch, __.project('z').by(__.out('has').count()))`,
      7,
      7
    ],
    [`${known}.sack(assign).by('age').out('has').property('x', __.sack())`, 5, 5]
  ]
  for (const row of plans) asks(row)
})

describe("A row whose data was read ahead sees the effects of the rows before it", () => {
  const plans: ReadonlyArray<string> = [
    `${known}.not(__.in('first')).addE('first').to(__.in('knows').out('knows').has('name', 'p5')).outV().values('name')`,
    `${known}.where(__.in('knows').out('knows').has('age', 99).count().is(lt(2))).property('age', 99).values('name')`,
    `${known}.where(__.out('has')).sideEffect(__.in('knows').out('knows').has('age', 25).out('has').drop()).values('age')`,
    `${known}.sideEffect(__.in('knows').out('knows').has('name', 'p9').drop()).values('name')`,
    `${known}.values('age').as('n').mergeV(__.project('age').by(__.select('n'))).property('seen', 1).values('seen')`,
    `${known}.union(__.property('seen', 1), __.in('knows').out('knows').has('seen')).values('name')`,
    `${known}.coalesce(__.in('knows').out('leader'), __.as('p').in('knows').addE('leader').to('p').inV()).values('name')`,
    `${known}.store('x').where(__.select('x').unfold().count().is(lt(4))).values('name')`
  ]
  for (const script of plans) {
    it(script, async () => {
      const { later, graph } = await same(script, 20)
      expect(contents(later.inner)).toEqual(contents(graph))
    })
  }
})

describe("An error of a row during read-ahead", () => {
  it("is ignored if the row is never processed", async () => {
    // The second value is a number. The other values, which only the read-ahead passes to math(), are not.
    await same(`${known}.property('x', 1).values('name', 'age').range(1, 2).math('_ + 1').store('y')`, 20)
  })

  it("fails the traversal when the row is processed", async () => {
    const script = `${known}.property('x', 1).values('age', 'name').math('_ + 1').store('y')`
    const graph = await crowd(20)
    let reason = ""
    try {
      run(graph, script)
    } catch (error) {
      reason = (error as Error).message
    }
    expect(reason).not.toBe("")
    await expect(runLater(new LaterGraph(await crowd(20)), script)).rejects.toThrow(reason)
  })
})
