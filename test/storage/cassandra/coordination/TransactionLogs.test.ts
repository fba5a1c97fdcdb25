import { randomBytes } from "node:crypto"
import { setImmediate } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { MAX_USER_LOGS } from "../../../../src/storage/cassandra/coordination/TransactionLogs.ts"
import { rowKey } from "../../../../src/storage/janusgraph/format/RowKeys.ts"
import { StorageFailure, StorageUnavailable } from "../../../../src/structure/errors/StoreErrors.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { runLater } from "../../../process/run.ts"
import { cellGraph } from "../../janusgraph/Graphs.ts"
import { FakeCluster } from "../FakeCluster.ts"
import { readMessage } from "./LoggedMessages.ts"

/** A graph with a write-ahead log, unless `hasAll` is false. */
const opened = async (hasAll = true) => {
  const cluster = new FakeCluster()
  if (hasAll) cluster.options = { "tx.log-tx": true }
  const graph = await cellGraph(await cluster.store())
  /** Runs a script in a transaction that is written to the log `userLog`. */
  const commit = async (script: string, userLog?: string): Promise<void> => {
    await runLater(graph, script, { transaction: graph.begin({ userLog }), as: text, variables })
  }
  const messages = (table = "txlog") => cluster.cells(table).map(({ value }) => readMessage(value))
  const names = (table?: string) => messages(table).map(({ status }) => status)
  const count = async () => (await runLater(graph, "g.V().count()", { as: text }))[0]
  return { cluster, commit, count, graph, messages, names }
}

type Cells = ReadonlyArray<{ readonly vertex: unknown; readonly column: Buffer; readonly value: Buffer }>

/** The relations of a message that are cells of the graph now. */
const stored = (cluster: FakeCluster, relations: Cells): Cells => {
  const cells = new Set(
    cluster.cells("edgestore").map(({ column, key, value }) => Buffer.concat([key, column, value]).toString("hex"))
  )
  return relations.filter(({ column, value, vertex }) =>
    cells.has(Buffer.concat([rowKey(vertex as number, 5), column, value]).toString("hex"))
  )
}

/** An error of the driver. */
const named = (name: string): Error => Object.assign(new Error(name), { name })

/** A text that the format cannot compress to less than a million bytes. */
const variables = new Map([["large", randomBytes(1_000_000).toString("base64")]])

const people =
  "g.addV('person').property('name', 'a').as('a').addV('person').property('name', 'b').addE('knows').from('a').property('since', 1)"

/** Adds vertices with large texts. */
const large = (vertices: number): string => `g${".addV('person').property('text', large)".repeat(vertices)}`

describe.each([
  ["The write-ahead log", undefined, "(tx.log-tx=true)"],
  ["A log of the user", "news", "(logIdentifier('news'))"]
])("%s", (_, userLog, named) => {
  it("refuses a commit that no message can have, before anything is written", async () => {
    const { cluster, commit, count } = await opened(userLog === undefined)
    await commit(large(1), userLog)
    const written: Array<string> = []
    cluster.weather = async (statement) => {
      const isChange = /"(?:edgestore|graphindex|txlog|ulog_news)"/.test(statement) && !statement.startsWith("SELECT")
      if (isChange) written.push(statement)
    }
    await expect(commit(large(17), userLog)).rejects.toThrow(
      `The changes of the transaction have more than 15 MiB, which is more than a message of a log ${named} in Cassandra can have.`
    )
    expect(written).toEqual([])
    expect(await count()).toBe("1")
  })
})

describe("The write-ahead log", () => {
  it("has the relations of a commit before the graph has them, and its success afterwards", async () => {
    const { cluster, commit, messages } = await opened()
    const written: Array<string> = []
    cluster.weather = async (statement) => {
      const table = /INSERT INTO "test"."(\w+)"/.exec(statement)?.[1]
      if (table === "txlog" || table === "edgestore") written.push(table)
    }
    await commit(people)
    expect(written[0]).toBe("txlog")
    expect(written.at(-1)).toBe("txlog")
    const [begun, success, ...more] = messages()
    expect(more).toEqual([])
    // Two vertices with existence, label and name, and an edge.
    expect(begun).toMatchObject({ status: "begun", id: 1, logName: undefined, removed: [] })
    expect(begun!.added).toHaveLength(7)
    expect(stored(cluster, begun!.added)).toHaveLength(7)
    expect(success).toMatchObject({ status: "completeSuccess", id: 1, time: begun!.time, added: [] })
  })

  it("has a changed value as removed and added, and everything that a removed vertex had", async () => {
    const { cluster, commit, messages } = await opened()
    await commit(people)
    const before = messages()[0]!.added
    await commit("g.V().has('name', 'a').property('name', 'c')")
    const change = messages()[2]!
    expect(change).toMatchObject({ status: "begun", id: 2 })
    expect([change.added.length, change.removed.length]).toEqual([1, 1])
    expect(before).toContainEqual(change.removed[0])
    expect(stored(cluster, change.added)).toHaveLength(1)
    await commit("g.E().property('since', 2)")
    expect([messages()[4]!.added.length, messages()[4]!.removed.length]).toEqual([1, 1])
    await commit("g.V().has('name', 'b').drop()")
    const removal = messages()[6]!
    expect(removal.added).toEqual([])
    // Its existence, label and name, and the edge to it.
    expect(removal.removed).toHaveLength(4)
    const others = [...before, ...change.added, ...messages()[4]!.added]
    for (const relation of removal.removed) expect(others).toContainEqual(relation)
    expect(stored(cluster, removal.removed)).toEqual([])
  })

  it("is not written without tx.log-tx, nor by a transaction without changes", async () => {
    const without = await opened(false)
    await without.commit(people)
    expect(without.messages()).toEqual([])
    const { commit, messages } = await opened()
    await commit("g.V()")
    expect(messages()).toEqual([])
  })

  it("is written before anything else: a commit that it does not take changes nothing", async () => {
    const { cluster, commit, count } = await opened()
    for (const cause of [new StorageFailure("the log is full."), named("OperationTimedOutError")]) {
      cluster.weather = async (statement) => {
        if (statement.includes("txlog")) throw cause
      }
      const failure = await commit(people).catch((error: Error) => error)
      // Not CommitOutcomeUnknown: the graph was not reached.
      expect(failure).toBeInstanceOf(StorageUnavailable)
      expect((failure as Error).message).toMatch(/\. The commit has changed nothing in the graph: run it again\.$/)
      expect((failure as Error).message).not.toContain("may have been applied")
    }
    cluster.weather = async () => undefined
    expect(await count()).toBe("0")
  })

  it("loses the note of a success without failing the commit, and reports that", async () => {
    const { cluster, commit, count, names } = await opened()
    let writes = 0
    cluster.weather = async (statement) => {
      if (statement.includes("txlog") && ++writes > 1) throw new StorageFailure("the log takes no messages")
    }
    await commit(people)
    cluster.weather = async () => undefined
    expect(await count()).toBe("2")
    expect(cluster.unlogged).toEqual(["txlog"])
    expect(names()).toEqual(["begun"])
  })
})

describe("A log of the user", () => {
  it("has the relations of a transaction that names it", async () => {
    const { commit, messages, names } = await opened()
    await commit(people, "News")
    // JanusGraph does not quote names of tables.
    const [message, ...more] = messages("ulog_news")
    expect(more).toEqual([])
    expect(names()).toEqual(["begun", "primarySuccess", "secondarySuccess"])
    const begun = messages()[0]!
    expect(begun.logName).toBe("News")
    expect(message).toEqual({ ...begun, status: "userLog", logName: undefined })
    await commit(people)
    expect(names("ulog_news")).toEqual(["userLog"])
  })

  it("is written without a write-ahead log, too", async () => {
    const { commit, messages, names } = await opened(false)
    await commit(people, "news")
    await commit("g.V().has('name', 'a').drop()", "news")
    expect(names("ulog_news")).toEqual(["userLog", "userLog"])
    expect(messages("ulog_news").map(({ id }) => id)).toEqual([1, 2])
    expect(messages()).toEqual([])
  })

  it("does not fail the commit when it cannot be written, which the write-ahead log notes", async () => {
    const { cluster, commit, count, names } = await opened()
    cluster.weather = async (statement) => {
      if (statement.includes("ulog_")) throw new StorageFailure("the log takes no messages")
    }
    await commit(people, "news")
    cluster.weather = async () => undefined
    expect(await count()).toBe("2")
    expect(cluster.unlogged).toEqual(["ulog_news"])
    expect(names()).toEqual(["begun", "primarySuccess", "secondaryFailure"])
  })

  it("has its table created once, one table at a time, however many transactions begin", async () => {
    const { cluster, commit, messages } = await opened(false)
    await commit(people)
    const created: Array<string> = []
    let inFlight = 0
    let mostInFlight = 0
    cluster.weather = async (statement) => {
      const table = /CREATE TABLE .*"?(ulog_\w+)"?/.exec(statement)?.[1]
      if (table === undefined) return
      created.push(table)
      mostInFlight = Math.max(mostInFlight, ++inFlight)
      for (let turn = 0; turn < 20; turn++) await setImmediate()
      inFlight--
    }
    const logs = ["news", "NEWS", "news", "other", "third"]
    await Promise.all(logs.map((log) => commit("g.addV('person')", log)))
    expect(created.sort()).toEqual(["ulog_news", "ulog_other", "ulog_third"])
    expect(mostInFlight).toBe(1)
    expect(["news", "other", "third"].map((log) => messages(`ulog_${log}`).length)).toEqual([3, 1, 1])
  })

  it("is created by a later transaction when an earlier one could not create it", async () => {
    const { cluster, commit, names } = await opened(false)
    cluster.weather = async (statement) => {
      if (statement.startsWith("CREATE TABLE")) throw new StorageFailure("the cluster creates no tables")
    }
    await commit(people, "news")
    cluster.weather = async () => undefined
    expect(cluster.unlogged).toEqual(["ulog_news"])
    await commit(people, "news")
    expect(names("ulog_news")).toEqual(["userLog"])
  })

  it("is refused before the commit when the process has written to many others", async () => {
    const { cluster, commit, count, names } = await opened(false)
    for (let log = 0; log < MAX_USER_LOGS; log++) await commit("g.addV('person')", `log${log}`)
    await expect(commit("g.addV('person')", "more")).rejects.toThrow(
      `logIdentifier('more'): this server process has written to ${MAX_USER_LOGS} other logs of this graph`
    )
    expect(await count()).toBe(String(MAX_USER_LOGS))
    await commit("g.addV('person')", "LOG0")
    expect(names("ulog_log0")).toHaveLength(2)
    expect(cluster.unlogged).toEqual([])
  })
})
