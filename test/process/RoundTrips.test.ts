import { describe, expect, it } from "vitest"
import { text } from "../../src/structure/Text.ts"
import { LaterGraph } from "../storage/LaterGraph.ts"
import { emptyGraph } from "../storage/memory/Fixture.ts"
import { run, runLater } from "./run.ts"

/** A hub with so many persons around it, each with one thing of its own. */
const crowd = (persons: number) => {
  const graph = emptyGraph()
  run(graph, "g.addV('hub').property('name', 'hub')")
  for (let i = 0; i < persons; i++) {
    run(
      graph,
      `g.addV('person').property('name', 'p${i}').property('age', ${20 + (i % 50)}).as('p').V().hasLabel('hub')` +
        `.addE('knows').to('p').addV('thing').property('name', 't${i}').as('t').addE('has').from('p').to('t')`
    )
  }
  return graph
}

const hub = "g.V().hasLabel('hub')"
const persons = "g.V().hasLabel('person')"

/**
 * Plans, and how often they ask the store and wait, with 3 persons and with 200. What starts at the hub asks as often for
 * any number of them. A scan of 401 vertices comes in six batches, each of which goes the whole way.
 */
const plans: ReadonlyArray<readonly [script: string, three: number, twoHundred: number]> = [
  ["g.V().count()", 1, 6],
  [`${hub}.out()`, 4, 4],
  [`${hub}.out('knows').values('name')`, 4, 4],
  [`${hub}.outE('knows').inV().values('name')`, 4, 4],
  [`${hub}.out('knows').out('has').values('name')`, 5, 5],
  [`${hub}.out('knows').out('has').dedup().count()`, 5, 5],
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
  // The rows enter one by one, so that the results of each come together; their first reads are made together.
  [`${persons}.union(__.values('name'), __.out('has'))`, 4, 23]
]

describe("on a store that answers later, a traversal asks in batches", () => {
  const [few, many] = [crowd(3), crowd(200)]
  for (const [script, three, twoHundred] of plans) {
    it(`${three} and ${twoHundred} times: ${script}`, async () => {
      const trips: Array<number> = []
      for (const graph of [few, many]) {
        const later = new LaterGraph(graph)
        const answered = await runLater(later, script, { as: text })
        expect(answered).toEqual(run(graph, script, { as: text }))
        trips.push(later.roundTrips)
      }
      expect(trips).toEqual([three, twoHundred])
    })
  }
})

/** Plans that go row by row, because what one row does may show in the next. */
const oneByOne: typeof plans = [
  [`${hub}.out('knows').property('x', 1)`, 4, 4],
  [`${hub}.out('knows').as('p').addE('self').to('p').property('z', 1)`, 4, 4],
  [`${hub}.out('knows').store('x').by('name').store('y').by('age').cap('x', 'y')`, 4, 4],
  [`${persons}.as('p').addE('self').to('p')`, 2, 10],
  [`${persons}.drop()`, 3, 15]
]

describe("a traversal that goes row by row asks for the next rows together", () => {
  for (const [script, three, twoHundred] of oneByOne) {
    it(`${three} and ${twoHundred} times: ${script}`, async () => {
      const trips: Array<number> = []
      for (const size of [3, 200]) {
        const later = new LaterGraph(crowd(size))
        const answered = await runLater(later, script, { as: text })
        expect(answered).toEqual(run(crowd(size), script, { as: text }))
        trips.push(later.roundTrips)
      }
      expect(trips).toEqual([three, twoHundred])
    })
  }
})
