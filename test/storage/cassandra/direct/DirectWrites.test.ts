import type { Client } from "cassandra-driver"
import { expect, it, vi } from "vitest"
import { DirectNodes } from "../../../../src/storage/cassandra/direct/DirectNodes.ts"
import { DirectWrites } from "../../../../src/storage/cassandra/direct/DirectWrites.ts"
import { NotApplied, writeFailure } from "../../../../src/storage/cassandra/Failures.ts"
import { WRITE_DELAY_MS, type WriteRetries } from "../../../../src/storage/cassandra/Retries.ts"
import { StatementText } from "../../../../src/storage/cassandra/Statements.ts"
import { threeNodes } from "./ThreeNodes.ts"

const TEXTS = ["INSERT a", "DELETE b"]
const INVALID = 0x2200
const UNPREPARED = 0x2500
const UNAUTHORIZED = 0x2100
const BAD_CREDENTIALS = 0x0100
const UNAVAILABLE = 0x1000
const WRITE_TIMEOUT = 0x1100

/** The options with which the driver executes a batch. */
interface DriverExecution {
  readonly isIdempotent?: boolean
  readonly retry: WriteRetries & { onUnavailable(info: { readonly nbRetry: number }): unknown }
}

const frame = (stream: number, opcode: number, code: number, flags = 0): Buffer => {
  const bytes = Buffer.from([0x84, flags, 0, stream, opcode, 0, 0, 0, 4, 0, 0, 0, 0])
  bytes.writeInt32BE(code, 9)
  return bytes
}
const done = (stream: number): Buffer => frame(stream, 8, 1)
const failing =
  (code: number) =>
  (stream: number): Buffer =>
    frame(stream, 0, code)

const texts = new Map(TEXTS.map((text) => [text, new StatementText(text)]))
const cqlOf = (text: string): StatementText => texts.get(text)!

/** Writes a row of a node; "applied", or the error with what failed() says about it. */
const written = (writes: DirectWrites, node: number, texts: ReadonlyArray<string> = TEXTS): Promise<unknown> =>
  new Promise((resolve) => {
    const key = Buffer.from([node])
    const statements = texts.map((text) => ({ cql: cqlOf(text), parameters: [key] }))
    const options = {
      consistency: 1,
      routingKey: key,
      readTimeout: 1000,
      logged: false,
      leaving: "after the turn"
    } as const
    writes.write(
      statements,
      options,
      () => resolve("applied"),
      (cause, wasSent) => resolve([cause, wasSent])
    )
  })

/** A cluster whose driver has prepared the statements, and refuses to execute them again. */
const prepared = async (timeout = 60_000) => {
  const cluster = threeNodes()
  for (const node of [0, 1, 2]) cluster.answers.set(node, done)
  for (const cql of texts.values()) cql.id = undefined
  const writes = new DirectWrites(cluster.client, new DirectNodes(cluster.client, "keyspace", timeout))
  expect(await written(writes, 0)).toBe("applied")
  expect([cluster.sent, cluster.executed.splice(0)]).toEqual([[], ["batch"]])
  const refuse = async (): Promise<never> => {
    cluster.executed.push("driver")
    throw "refused"
  }
  Object.assign(cluster.client as Client, { execute: refuse, batch: refuse })
  return { ...cluster, writes }
}

it("Statements that the driver has prepared go to a node that has the row", async () => {
  const { answers, down, executed, sent, writes } = await prepared()
  for (const node of [0, 1, 2, 1]) expect(await written(writes, node)).toBe("applied")
  expect(await written(writes, 2, TEXTS.slice(1))).toBe("applied")
  answers.set(2, (stream) => frame(stream, 8, 1, 8))
  expect(await written(writes, 2)).toBe("applied")
  expect([sent, executed]).toEqual([[0, 1, 2, 1, 2, 2], []])
  down.add(2)
  expect(await written(writes, 2)).toEqual(["refused", false])
})

it("Writes of several calls of one turn of the event loop share a write to the socket", async () => {
  const { sent, writes } = await prepared()
  const answers: Array<Promise<unknown>> = []
  for (let i = 0; i < 3; i++) {
    answers.push(written(writes, 1))
    await new Promise(process.nextTick)
  }
  await answers[0]
  expect(sent).toEqual([1])
})

it("The driver executes statements that a node refuses or fails, and the error says whether they may have been applied", async () => {
  const { answers, executed, writes } = await prepared()
  for (const [code, wasSent] of [
    [INVALID, false],
    [UNPREPARED, false],
    [UNAVAILABLE, false],
    [WRITE_TIMEOUT, true]
  ] as const) {
    answers.set(0, failing(code))
    expect(await written(writes, 0)).toEqual(["refused", wasSent])
  }
  expect(executed).toHaveLength(4)
})

it("The error says that nothing was applied if each node that was asked has refused the statements, and only then", async () => {
  const { answers, client, writes } = await prepared()
  const failureOf = async (node: number): Promise<Error> => {
    const [cause, wasSent] = (await written(writes, node)) as [unknown, boolean]
    return writeFailure("cql:a/g", cause, wasSent)
  }
  for (const code of [UNAVAILABLE, UNAUTHORIZED, INVALID, BAD_CREDENTIALS]) {
    /** The driver retries as its policy says, after these other errors. */
    const refused = (before?: (policy: WriteRetries) => void) => async (_: unknown, options: DriverExecution) => {
      before?.(options.retry)
      if (code === UNAVAILABLE) await options.retry.onUnavailable({ nbRetry: 1 })
      throw Object.assign(new Error("too few"), { code, required: 2, alive: 1 })
    }
    answers.set(0, failing(UNAVAILABLE))
    Object.assign(client, { batch: refused() })
    const failure = await failureOf(0)
    expect(failure).toBeInstanceOf(NotApplied)
    if (code === UNAVAILABLE) {
      expect(failure.message).toContain("only 1 of the 2 replicas that the consistency level asks for are up")
    }
    // An earlier node has not answered in time.
    for (const before of [
      (policy: WriteRetries) => policy.onRequestError({ nbRetry: 0 }, 1),
      (policy: WriteRetries) => policy.onWriteTimeout({ nbRetry: 0 }, 1)
    ]) {
      Object.assign(client, { batch: refused(before) })
      expect(await failureOf(0)).not.toBeInstanceOf(NotApplied)
    }
    // A second node was asked beside the first, and has not answered.
    const slowly = refused()
    Object.assign(client, {
      batch: async (...given: Parameters<typeof slowly>) => {
        vi.advanceTimersByTime(WRITE_DELAY_MS)
        return slowly(...given)
      }
    })
    vi.useFakeTimers({ toFake: ["performance"] })
    const late = await failureOf(0)
    vi.useRealTimers()
    expect(late).not.toBeInstanceOf(NotApplied)
    // A node that the driver does not know of may have applied it.
    Object.assign(client, { batch: refused() })
    answers.set(1, failing(WRITE_TIMEOUT))
    expect(await failureOf(1)).not.toBeInstanceOf(NotApplied)
  }
})

it("The error of a driver that finds no node has the reasons of all nodes, however late it is", async () => {
  const { answers, client, writes } = await prepared()
  answers.set(0, failing(UNAVAILABLE))
  Object.assign(client, {
    batch: async (_: unknown, { retry }: DriverExecution) => {
      retry.onRequestError({ nbRetry: 0 }, 1)
      throw Object.assign(new Error("none"), { name: "NoHostAvailableError", innerErrors: {} })
    }
  })
  const [, wasSent] = (await written(writes, 0)) as [unknown, boolean]
  expect(wasSent).toBe(false)
})

it("Another node gets the statements when one does not answer in time, and then the driver", async () => {
  const { answers, client, executed, sent, silent, writes } = await prepared()
  const asked: Array<boolean | undefined> = []
  Object.assign(client, {
    batch: async (_: unknown, { isIdempotent }: DriverExecution) => {
      asked.push(isIdempotent)
      executed.push("driver")
      throw "refused"
    }
  })
  silent.add(1)
  expect(await written(writes, 1)).toBe("applied")
  expect([sent.length, executed]).toEqual([2, []])
  for (const node of [0, 2]) silent.add(node)
  expect(await written(writes, 1)).toEqual(["refused", true])
  expect(executed).toHaveLength(1)
  for (const node of [0, 1, 2]) silent.delete(node)
  answers.set(0, failing(WRITE_TIMEOUT))
  expect(await written(writes, 0)).toEqual(["refused", true])
  // The driver replaces a node that fails: the first two may never answer.
  expect(asked).toEqual([true, true])
})

it("The driver executes statements whose connection closes, once", async () => {
  const { close, executed, silent, writes } = await prepared()
  silent.add(1)
  const answer = written(writes, 1)
  await new Promise((resolve) => setImmediate(resolve))
  close(1)
  close(1)
  expect(await answer).toEqual(["refused", true])
  expect(executed).toHaveLength(1)
})

it("A late write goes to another node after two seconds, and to none if nobody waits for it so long", async () => {
  for (const [timeout, late, expected] of [
    [12_000, 1_900, [1]],
    [12_000, 2_200, [1, 2]],
    [1_000, 2_200, [1]]
  ] as const) {
    const { sent, silent, writes } = await prepared(timeout)
    for (const node of [0, 1, 2]) silent.add(node)
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] })
    void written(writes, 1)
    await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(late)
    await new Promise((resolve) => setImmediate(resolve))
    vi.useRealTimers()
    expect(sent.map((node) => (node === 1 ? 1 : 2))).toEqual(expected)
  }
})
