import cassandra from "cassandra-driver"
import { afterEach, expect, it, vi } from "vitest"
import { DirectNodes } from "../../../../src/storage/cassandra/direct/DirectNodes.ts"
import { DirectReads } from "../../../../src/storage/cassandra/direct/DirectReads.ts"
import { type LatePageRetries, LimitedRetries } from "../../../../src/storage/cassandra/Retries.ts"
import { StatementText } from "../../../../src/storage/cassandra/Statements.ts"
import { answer, columnRead, readsOver, threeNodes } from "./ThreeNodes.ts"

const TEXT = "SELECT column1, value FROM t WHERE key = ?"
let cql = new StatementText(TEXT)
const columnOf = (reads: DirectReads, node: number, isScan = false): Promise<string> =>
  columnRead(reads, cql, node, isScan)

afterEach(() => {
  cql = new StatementText(TEXT)
  vi.useRealTimers()
})

it("A statement goes to a node that has the row, and through the driver when that node is down", async () => {
  const { client, down, executed } = threeNodes()
  const reads = readsOver(client)
  // The driver prepares the text.
  expect(await columnOf(reads, 0)).toBe("driver")
  for (const node of [0, 1, 2, 1]) expect(await columnOf(reads, node)).toBe(`node${node}`)
  expect(executed).toHaveLength(1)
  down.add(2)
  expect(await columnOf(reads, 2)).toBe("driver")
  expect(await columnOf(reads, 0)).toBe("node0")
})

it("A statement whose node does not answer in time goes to another node, and then to the driver", async () => {
  const { client, executed, silent } = threeNodes()
  const reads = readsOver(client)
  expect(await columnOf(reads, 0)).toBe("driver")
  silent.add(1)
  for (let at = 0; at < 3; at++) expect(await columnOf(reads, 1)).toMatch(/^node[02]$/)
  expect(await columnOf(reads, 2)).toBe("node2")
  expect(executed).toHaveLength(1)
  for (const node of [0, 2]) silent.add(node)
  expect(await columnOf(reads, 1)).toBe("driver")
  expect(executed).toHaveLength(2)
  silent.clear()
  expect(await columnOf(reads, 1)).toBe("node1")
  expect(executed).toHaveLength(2)
})

it("A late statement is not given up while all other nodes are busy: its node may still answer", async () => {
  const { busy, client, close, executed, held, silent } = threeNodes()
  const reads = readsOver(client)
  await columnOf(reads, 0)
  const { execute } = client
  let refused = 0
  Object.assign(client, {
    execute: (...given: []) => {
      if (busy.size === 0) return Reflect.apply(execute, client, given)
      refused++
      const reason = new Error(
        "All connections to host 127.0.0.1:9042 are busy, 1088 requests are in-flight on each connection"
      )
      return Promise.reject(
        Object.assign(new Error("none"), { name: "NoHostAvailableError", innerErrors: { "127.0.0.1:9042": reason } })
      )
    }
  })
  /** A statement whose node is silent, after the driver has found no node for it twice. Its answer is in an array: nobody awaits it yet. */
  const late = async (): Promise<readonly [Promise<string>]> => {
    silent.add(1)
    busy.clear()
    const answer = columnOf(reads, 1)
    await new Promise((resolve) => setImmediate(resolve))
    for (const node of [0, 1, 2]) busy.add(node)
    refused = 0
    await vi.waitUntil(() => refused === 2, { timeout: 10_000 })
    return [answer]
  }
  const [first] = await late()
  for (const answered of held.splice(0)) answered()
  expect(await first).toBe("node1")
  const [second] = await late()
  busy.clear()
  close(1)
  expect(await second).toBe("driver")
  expect(executed).toHaveLength(2)
  // No node has the statement.
  for (const node of [0, 1, 2]) busy.add(node)
  await expect(columnOf(reads, 0)).rejects.toThrow("none")
})

it("Another replica is asked first when a node does not answer in time", async () => {
  const { client, executed, silent } = threeNodes()
  const { getReplicas, hosts } = client as unknown as {
    getReplicas: (keyspace: string, key: Buffer) => ReadonlyArray<unknown>
    hosts: { values: () => ReadonlyArray<unknown> }
  }
  const [, second, third] = hosts.values()
  Object.assign(client, {
    getReplicas: (keyspace: string, key: Buffer) => (key[0] === 1 ? [second, third] : getReplicas(keyspace, key))
  })
  const reads = readsOver(client)
  await columnOf(reads, 0)
  silent.add(1)
  for (let at = 0; at < 4; at++) expect(await columnOf(reads, 1)).toBe("node2")
  expect(executed).toHaveLength(1)
})

it("A statement that another node has answered is not executed again when the connection of the silent node closes", async () => {
  const { client, close, executed, silent } = threeNodes()
  const reads = readsOver(client)
  await columnOf(reads, 0)
  silent.add(1)
  for (let at = 0; at < 3; at++) expect(await columnOf(reads, 1)).toMatch(/^node[02]$/)
  close(1)
  expect(executed).toHaveLength(1)
})

it("An answer with warnings is an answer: the driver does not execute its statement again", async () => {
  const { answers, client, executed } = threeNodes()
  const warnings: Array<string> = []
  const nodes = new DirectNodes(client, "keyspace", 60_000, (text) => warnings.push(text))
  const reads = new DirectReads(client, nodes, 60_000)
  await columnOf(reads, 0)
  answers.set(1, (stream) => answer(stream, "warned", ["Read 1 live rows and 1500 tombstone cells", "another"]))
  expect(await columnOf(reads, 1)).toBe("warned")
  expect(warnings).toEqual(["Read 1 live rows and 1500 tombstone cells", "another"])
  expect(executed).toHaveLength(1)
})

it("A page of a scan waits longer for its node, and then goes to another node, too", async () => {
  const { client, executed, sent, silent } = threeNodes()
  const reads = readsOver(client, 12_000)
  await columnOf(reads, 0)
  silent.add(1)
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] })
  const answer = columnOf(reads, 1, true)
  await vi.advanceTimersByTimeAsync(1_900)
  expect(sent).toEqual([1])
  await vi.advanceTimersByTimeAsync(200)
  expect(await answer).toMatch(/^node[02]$/)
  expect(executed).toHaveLength(1)
  for (const node of [0, 2]) silent.add(node)
  const last = columnOf(reads, 1, true)
  await vi.advanceTimersByTimeAsync(4_100)
  expect(await last).toBe("driver")
})

it("The driver replaces a node that fails a page of a scan, but no silent one after two nodes that are late", async () => {
  const { answers, client, silent } = threeNodes()
  const given: Array<{
    readonly isIdempotent: boolean
    readonly readTimeout: number
    readonly retry?: LatePageRetries
  }> = []
  const { execute } = client
  Object.assign(client, {
    execute: (text: string, parameters: [], options: (typeof given)[number]) => {
      given.push(options)
      return Reflect.apply(execute, client, [text, parameters, options])
    }
  })
  const reads = readsOver(client, 4_000)
  await columnOf(reads, 0, true)
  answers.set(1, (stream) => Buffer.from([0x84, 0, 0, stream, 0, 0, 0, 0, 4, 0, 0, 0, 0]))
  expect(await columnOf(reads, 1, true)).toBe("driver")
  for (const node of [0, 1, 2]) silent.add(node)
  expect(await columnOf(reads, 1, true)).toBe("driver")
  expect(await columnOf(readsOver(client), 1)).toBe("driver")
  // The driver asks another node only for such statements.
  expect(given.map(({ isIdempotent }) => isIdempotent)).toEqual([true, true, true, true])
  // Only the late page has a policy of its own.
  expect(given.map(({ retry }) => retry !== undefined)).toEqual([false, false, true, false])
  const { readTimeout, retry } = given[2]!
  // The last node has the time that two nodes have left.
  expect(readTimeout).toBeLessThanOrEqual(2_000)
  const others = new LimitedRetries()
  const silentNode = new cassandra.errors.OperationTimedOutError("silent")
  const lastAttempt = others.onRequestError({ nbRetry: 2 }, 1)
  expect(retry!.onRequestError({ nbRetry: 0 }, 1, silentNode)).toMatchObject({ decision: lastAttempt.decision })
  expect(retry!.onRequestError({ nbRetry: 0 }, 1, new Error("reset"))).toEqual(others.onRequestError({ nbRetry: 0 }, 1))
})

it("A page of a scan goes to another node within a short timeout, too", async () => {
  const { client, silent } = threeNodes()
  const reads = readsOver(client, 400)
  await columnOf(reads, 0)
  silent.add(1)
  expect(await columnOf(reads, 1, true)).toMatch(/^node[02]$/)
})

it("A statement without an answer is executed again when its connection closes, but not after its timeout", async () => {
  const { client, close, silent } = threeNodes()
  const timeout = 1000
  const nodes = new DirectNodes(client, "keyspace", timeout)
  const reads = new DirectReads(client, nodes, timeout)
  await columnOf(reads, 0)
  // One read opens the connections whose statements are checked once in each timeout.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] })
  for (const node of [0, 1]) expect(await columnOf(reads, node)).toBe(`node${node}`)
  vi.advanceTimersByTime(timeout / 2)
  const left: Array<number> = []
  const begin = (node: number): void => {
    const key = Buffer.from([node])
    silent.add(node)
    nodes.send(
      { id: Buffer.from("id"), parameters: [key], consistency: 1, pageSize: 0, pageState: undefined },
      { key, patience: undefined, receive: () => "done", leave: () => left.push(node) }
    )
  }
  begin(0)
  begin(1)
  vi.advanceTimersByTime(timeout * 0.75)
  close(0)
  expect(left).toEqual([0])
  vi.advanceTimersByTime(timeout / 2)
  close(1)
  expect(left).toEqual([0])
})
