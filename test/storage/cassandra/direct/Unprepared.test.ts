import { afterEach, beforeEach, expect, it, vi } from "vitest"
import type { DirectReads } from "../../../../src/storage/cassandra/direct/DirectReads.ts"
import { StatementText } from "../../../../src/storage/cassandra/Statements.ts"
import { columnRead, readsOver, threeNodes } from "./ThreeNodes.ts"

const TEXT = "SELECT column1, value FROM t WHERE key = ?"
let cql: StatementText

const columnOf = (reads: DirectReads, node: number, isScan = false): Promise<string> =>
  columnRead(reads, cql, node, isScan)

beforeEach(() => {
  cql = new StatementText(TEXT)
})
afterEach(() => {
  vi.useRealTimers()
})

it("A statement that the driver has just prepared goes to other nodes when the first one does not answer in time", async () => {
  const { client, executed } = threeNodes()
  let id: Buffer | undefined
  const { execute } = client
  Object.assign(client, {
    metadata: { getPreparedInfo: () => ({ queryId: id }) },
    // No node answers the driver.
    execute: (...given: Parameters<typeof execute>) => {
      void Reflect.apply(execute, client, given)
      return new Promise(() => undefined)
    }
  })
  for (const isScan of [false, true]) {
    id = undefined
    cql = new StatementText(TEXT)
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] })
    const answer = columnOf(readsOver(client, 12_000), 1, isScan)
    await vi.advanceTimersByTimeAsync(5_000)
    id = Buffer.from("id")
    await vi.advanceTimersByTimeAsync(2_100)
    vi.useRealTimers()
    expect(await answer).toBe("node1")
  }
  expect(executed).toHaveLength(2)
})

/** A cluster whose driver prepares a statement at once, and executes it as the test says. */
const unprepared = () => {
  const nodes = threeNodes()
  const { execute } = nodes.client
  const firsts: Array<{ readonly answer: () => void; readonly fail: (cause: Error) => void }> = []
  const none = Object.assign(new Error("none"), {
    name: "NoHostAvailableError",
    innerErrors: { "127.0.0.1:9042": new Error("All connections to host 127.0.0.1:9042 are busy") }
  })
  Object.assign(nodes.client, {
    execute: (...given: Parameters<typeof execute>) => {
      const answer = Reflect.apply(execute, nodes.client, given)
      if (firsts.length > 0) return Promise.reject(none)
      return new Promise((resolve, reject) => firsts.push({ answer: () => resolve(answer), fail: reject }))
    }
  })
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] })
  return { ...nodes, firsts }
}

it("A read whose copy for other nodes fails is answered by the first execution of its statement", async () => {
  const { busy, client, executed, firsts } = unprepared()
  const answer = columnOf(readsOver(client), 1)
  for (const node of [0, 1, 2]) busy.add(node)
  await vi.advanceTimersByTimeAsync(600)
  expect(executed).toHaveLength(2)
  firsts[0]!.answer()
  expect(await answer).toBe("driver")
})

it("A read whose first execution fails is answered by its copy for other nodes, and fails when both fail", async () => {
  for (const isAnswered of [true, false]) {
    cql = new StatementText(TEXT)
    const { busy, client, close, firsts, held, sent, silent } = unprepared()
    const answer = columnOf(readsOver(client), 1)
    const result = answer.catch(({ message }: Error) => message)
    silent.add(1)
    await vi.advanceTimersByTimeAsync(600)
    expect(sent).toEqual([1])
    firsts[0]!.fail(new Error("overloaded"))
    await vi.advanceTimersByTimeAsync(0)
    if (isAnswered) for (const answered of held) answered()
    else {
      for (const node of [0, 1, 2]) busy.add(node)
      close(1)
    }
    expect(await result).toBe(isAnswered ? "node1" : "none")
    vi.useRealTimers()
  }
})

it("A copy goes to no further node after the first execution has answered or the caller has given up", async () => {
  for (const isAnswered of [true, false]) {
    cql = new StatementText(TEXT)
    const { client, executed, firsts, sent, silent } = unprepared()
    void columnOf(readsOver(client, isAnswered ? 60_000 : 700), 1)
    silent.add(1)
    await vi.advanceTimersByTimeAsync(500)
    expect(sent).toEqual([1])
    if (isAnswered) firsts[0]!.answer()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(sent).toEqual([1])
    expect(executed).toHaveLength(1)
    vi.useRealTimers()
  }
})

it("No copy is sent after the caller of an unprepared statement has given up", async () => {
  const { client, firsts, sent } = unprepared()
  void columnOf(readsOver(client, 300), 1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(firsts).toHaveLength(1)
  expect(sent).toEqual([])
})
