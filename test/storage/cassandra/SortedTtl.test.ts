import { describe, expect, it } from "vitest"
import { dataTypeOf } from "../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { runLater } from "../../process/run.ts"
import { cellGraph } from "../janusgraph/Graphs.ts"
import { FakeCluster } from "./FakeCluster.ts"

/** Vertices 1 to 4 of the type x. Their ranks, which have a TTL of ten seconds, are the same numbers. */
const opened = async (kind: "ordered" | "mixed") => {
  const cluster = new FakeCluster()
  const graph = await cellGraph(await cluster.store())
  const editor = await graph.management.edit()
  const type = editor.makeKey("type", dataTypeOf("String"), "SINGLE")
  const rank = editor.makeKey("rank", dataTypeOf("Integer"), "SINGLE")
  const name = editor.makeKey("name", dataTypeOf("Integer"), "SINGLE")
  editor.setTimeToLive(rank, 10)
  const mappings = ["STRING", "DEFAULT", "DEFAULT"]
  editor.makeIndex({ unique: false, kind, name: "sorted", element: "vertex", keys: [type, rank, name], mappings })
  await graph.management.commit(editor)
  const ask = async (script: string) => ((await runLater(graph, script)) as ReadonlyArray<unknown>).map(text)
  await ask("g.inject(1, 2, 3, 4).as('n').addV().property('type', 'x').property('rank', select('n')).none()")
  await ask("g.V().as('v').values('rank').as('r').select('v').property('name', select('r')).none()")
  return { ask, cluster, graph }
}

const sortedIn = (kind: string) => (order: string) =>
  `g.V()${kind === "mixed" ? "" : ".has('type', 'x')"}.order().by('rank'${order}).limit(10).values('name')`

describe.each(["ordered", "mixed"] as const)("An index over Cassandra (%s) that sorts by values with a TTL", (kind) => {
  const sorted = sortedIn(kind)

  it("gives elements whose value has ended once, at the end", async () => {
    const { ask, cluster } = await opened(kind)
    expect(await ask(sorted(""))).toEqual(["1", "2", "3", "4"])
    cluster.ahead += 6000
    await ask("g.V().has('name', within(2, 4)).property('rank', 9)")
    await ask("g.V().has('name', 4).property('rank', 5)")
    expect(await ask(sorted(""))).toEqual(["1", "3", "4", "2"])
    // The entries of 1 and 3 are written again, for another field.
    await ask("g.V().has('name', within(1, 3)).property('type', 'x')")
    cluster.ahead += 6000
    expect((await ask(sorted(""))).slice(0, 2)).toEqual(["4", "2"])
    expect((await ask(sorted(""))).toSorted()).toEqual(["1", "2", "3", "4"])
    expect((await ask(sorted(", desc"))).slice(0, 2)).toEqual(["2", "4"])
    expect((await ask(sorted(", desc"))).toSorted()).toEqual(["1", "2", "3", "4"])
  })

  it("gives elements at the place of the value that they got after one has ended", async () => {
    const { ask, cluster } = await opened(kind)
    cluster.ahead += 12_000
    await ask("g.V().has('name', 1).property('rank', 3).none()")
    await ask("g.V().has('name', 2).property('rank', 1).none()")
    expect((await ask(sorted(""))).slice(0, 2)).toEqual(["2", "1"])
    expect((await ask(sorted(", desc"))).slice(0, 2)).toEqual(["1", "2"])
    expect(await ask(sorted("").replace("10", "1"))).toEqual(["2"])
  })

  it("gives elements whose value another client changes after the transaction has read it", async () => {
    const { ask, graph } = await opened(kind)
    const above = sorted("").replace(".order", ".has('rank', gt(1)).order")
    const searches = [sorted(""), sorted(", desc"), sorted("").replace("10", "3"), above]
    const known = "g.V().has('name', within(1, 4)).order().by('name').values('rank')"
    // A search may read rows again, so each has its own transaction.
    const begun = searches.map((search) => ({ search, transaction: graph.begin() }))
    for (const { transaction } of begun) {
      expect((await runLater(graph, known, { transaction })).map(text)).toEqual(["1", "4"])
    }
    await ask("g.V().has('name', 1).property('rank', 5)")
    await ask("g.V().has('name', 4).property('rank', 0)")
    const found: Array<string> = []
    for (const { search, transaction } of begun) {
      found.push((await runLater(graph, search, { transaction })).map(text).join())
      transaction.rollback()
    }
    // The place of 4 comes after its entry. The first search has passed that of 1, and the second one that of 4.
    expect(found).toEqual(["2,3,4,1", "3,2,1,4", "2,3,4", "2,3"])
  })

  it("sorts in a transaction that has found the same elements in any order", async () => {
    const { ask, graph } = await opened(kind)
    const ranks = "g.inject(0).repeat(__.map(__.math('_ + 5'))).emit().times(30)"
    await ask(`${ranks}.as('n').addV().property('type', 'y').property('rank', select('n')).none()`)
    const transaction = graph.begin()
    const found = "g.V().has('type', 'y').has('rank', gt(0))"
    const asked = async (rest: string) => (await runLater(graph, `${found}.${rest}`, { transaction })).map(text)
    expect(await asked("limit(1).values('type')")).toEqual(["y"])
    expect((await asked("order().by('rank').limit(40).values('rank')")).slice(0, 3)).toEqual(["5", "10", "15"])
    expect(await asked("order().by('rank').limit(40).count()")).toEqual(["30"])
    transaction.rollback()
  })
})
