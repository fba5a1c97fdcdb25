import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { type CellGraph, openCellGraph } from "../../src/storage/janusgraph/CellGraph.ts"
import { defaultCellGraphOptions } from "../../src/storage/janusgraph/Options.ts"
import { StorageUnavailable } from "../../src/structure/errors/StoreErrors.ts"
import { text } from "../../src/structure/texts/Text.ts"
import { eventually } from "../layers/support/TestServers.ts"
import { runLater } from "../process/run.ts"
import { readMessage } from "../storage/cassandra/coordination/LoggedMessages.ts"
import { type JanusGraphPeer, openJanusGraph } from "./JanusGraphPeer.ts"
import { cqlGraph, cqlStore, newKeyspace } from "./Stores.ts"

describe("The logs of transactions, which JanusGraph reads", () => {
  let java: JanusGraphPeer
  let graph: CellGraph
  let keyspace: string

  beforeAll(async () => {
    keyspace = newKeyspace()
    const options = {
      "tx.log-tx": "true",
      "tx.max-commit-time": "10000 ms",
      "log.tx.read-interval": "250 ms",
      "log.user.read-interval": "250 ms",
      "log.user.send-delay": "0 ms",
      // Both lock the names of new types. The keyspace stores this option for both; test machines stall.
      "storage.lock.wait-time": "1000 ms"
    }
    java = await openJanusGraph(keyspace, "java", options, "Logs")
    expect(await java.ask("process NewsOfPeople")).toBe("processes")
    expect(await java.ask("recover")).toBe("recovers")
    expect(await java.ask("write NewsOfPeople ann")).toBe("written")
    // This server opens the keyspace after JanusGraph has made the types of that commit, so it knows them.
    graph = await cqlGraph(keyspace)
  })
  afterAll(async () => {
    await graph?.close()
    await java?.crash()
  })

  const commit = async (script: string, userLog?: string): Promise<void> => {
    await runLater(graph, script, { transaction: graph.begin({ userLog }), as: text })
  }

  const changes = async (count: number): Promise<ReadonlyArray<string>> => {
    let found: ReadonlyArray<string> = []
    await eventually(async () => {
      found = (await java.ask("changes")).split(" | ").filter((change) => change !== "")
      return found.length >= count
    })
    return found.map((change) => change.replace(/^\S+/, (instance) => (instance === "java" ? "java" : "here")))
  }

  it("have for its processors what both servers have written", async () => {
    await commit(
      "g.addV('person').property('name', 'ben').as('b').addV('person').property('name', 'cid').addE('knows').from('b').property('since', 1)",
      "NewsOfPeople"
    )
    expect(await changes(2)).toEqual([
      "here +vertex +vertex +knows(since:1) +name=ben +name=cid",
      "java +vertex +name=ann"
    ])
    await commit("g.V().has('name', 'ben').property('name', 'Ben')", "NewsOfPeople")
    await commit("g.V().has('name', 'cid').drop()", "NewsOfPeople")
    await commit("g.addV('person').property('name', 'unlogged')")
    expect(await changes(4)).toEqual([
      "here +name=Ben -name=ben",
      "here +vertex +vertex +knows(since:1) +name=ben +name=cid",
      "here -vertex -knows(since:1) -name=cid",
      "java +vertex +name=ann"
    ])
  })

  it("have for its recovery the success of each transaction", async () => {
    let answer = ""
    await eventually(async () => {
      answer = await java.ask("recovered")
      const counts = /^(\d+) complete, (\d+) incomplete$/.exec(answer)
      expect(counts, answer).not.toBeNull()
      return Number(counts![1]) + Number(counts![2]) >= 5
    })
    expect(answer).toMatch(/ complete, 0 incomplete$/)
  })

  it("have the messages of both servers in the same form", async () => {
    const store = await cqlStore(keyspace)
    try {
      const found = new Map<string, ReturnType<typeof readMessage>>()
      for (let partition = 0; partition < 4; partition++) {
        const now = Math.floor(Date.now() / 100_000)
        for (const slice of [now - 2, now - 1, now]) {
          const key = Buffer.alloc(12)
          key.writeUInt32BE(partition * 2 ** 30, 0)
          key.writeUInt32BE(slice, 8)
          for (const { column, value } of await store.columns.slice({ table: "ulog_newsofpeople", key }, "read")) {
            found.set(Buffer.from(column).toString("hex"), readMessage(value))
          }
        }
      }
      const shapes = [...found.values()].map(
        ({ added, removed, status }) => `${status} ${added.length} ${removed.length}`
      )
      // This server adds two vertices and an edge, changes a value, and removes a vertex. JanusGraph adds a vertex, and types.
      expect(shapes).toHaveLength(4)
      expect(shapes).toEqual(expect.arrayContaining(["userLog 0 4", "userLog 1 1", "userLog 7 0"]))
    } finally {
      await store.close()
    }
  })

  it("have for its recovery the log of the user that could not be written", async () => {
    const store = await cqlStore(keyspace)
    const other = await openCellGraph(store, { ...defaultCellGraphOptions, name: "test" }, "test")
    const mutate = store.columns.mutate.bind(store.columns)
    vi.spyOn(store.columns, "mutate").mockImplementation(async (given, ...more) => {
      const mutations = [...given]
      if (mutations.some(({ table }) => table === "ulog_newsofpeople"))
        throw new StorageUnavailable("no replica answers")
      await mutate(mutations, ...more)
    })
    try {
      const transaction = other.begin({ userLog: "NewsOfPeople" })
      await runLater(other, "g.addV('person').property('name', 'dan')", { transaction, as: text })
      expect((await changes(5)).filter((change) => change.includes("dan"))).toEqual(["here +vertex +name=dan"])
      expect(await java.ask("recovered")).toMatch(/ complete, 1 incomplete$/)
    } finally {
      await other.close()
    }
  })
})
