import { EventEmitter } from "node:events"
import * as fc from "effect/FastCheck"
import { afterEach, expect, it, onTestFinished, vi } from "vitest"
import { DirectConnection } from "../../../../src/storage/cassandra/direct/DirectConnection.ts"
import type { DriverConnection } from "../../../../src/storage/cassandra/direct/DriverInternals.ts"
import { rowsOf } from "../../../../src/storage/cassandra/direct/Frames.ts"
import { RowCursor } from "../../../../src/storage/cassandra/RowBlock.ts"

/** A connection of the driver that records what it gets. */
const fakeConnection = () => {
  const socket = new EventEmitter()
  const state = { toDriver: [] as Array<Buffer>, written: [] as Array<Buffer>, freed: [] as Array<number>, next: 0 }
  const protocol = {
    header: null,
    headerChunks: { byteLength: 0 },
    write: (chunk: Buffer) => {
      state.toDriver.push(chunk)
      return true
    }
  }
  const netClient = Object.assign(socket, {
    write: (bytes: Buffer) => {
      state.written.push(bytes)
      return true
    }
  })
  const connection = {
    protocolVersion: 4,
    timedOutOperations: 0,
    netClient,
    protocol,
    _getStreamId: () => (state.next < 100 ? state.next++ : null),
    freeStreamId: ({ streamId }: { readonly streamId: number }) => state.freed.push(streamId)
  }
  // A connection that stays open checks its statements in the time of later tests.
  onTestFinished(() => void socket.emit("close"))
  return { connection: connection as unknown as DriverConnection, state, socket, protocol }
}

/** Longer than a test. */
const TIMEOUT_MS = 3_600_000

const execution = { id: Buffer.from("id"), consistency: 1, parameters: [], pageSize: 100, pageState: undefined }

const frame = (stream: number, opcode: number, body: Buffer): Buffer => {
  const header = Buffer.from([0x84, 0, 0, 0, opcode, 0, 0, 0, 0])
  header.writeInt16BE(stream, 2)
  header.writeInt32BE(body.length, 5)
  return Buffer.concat([header, body])
}
const int = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
const blob = (bytes: string): Buffer => Buffer.concat([int(bytes.length), Buffer.from(bytes)])
/** An answer without metadata: flag 4, two columns. */
const rows = (cells: ReadonlyArray<readonly [string, string]>): Buffer =>
  Buffer.concat([int(2), int(4), int(2), int(cells.length), ...cells.flatMap(([a, b]) => [blob(a), blob(b)])])

const cellsOf = (bytes: Buffer | undefined, at: number): ReadonlyArray<string> | undefined => {
  const block = bytes === undefined ? undefined : rowsOf(bytes, at)
  if (block === undefined) return undefined
  const found: Array<string> = []
  for (const cursor = new RowCursor(block, false); cursor.next(); ) {
    const { column, value } = cursor.cell()
    found.push(`${Buffer.from(column)}=${Buffer.from(value)}`)
  }
  return found
}

afterEach(() => {
  vi.useRealTimers()
})

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it("A connection divides what arrives into the answers of statements and frames for the driver, wherever chunks end", () => {
  fc.assert(
    fc.property(
      fc.array(fc.boolean(), { maxLength: 30 }),
      fc.infiniteStream(fc.integer({ min: 1, max: 40 })),
      (own, sizes) => {
        const { connection, protocol, state } = fakeConnection()
        const direct = new DirectConnection(connection, TIMEOUT_MS, () => undefined)
        const answers: Array<ReadonlyArray<string> | undefined> = []
        const expected: Array<ReadonlyArray<string>> = []
        const others: Array<Buffer> = []
        const frames = own.map((isOwn, i) => {
          if (isOwn) {
            const stream = state.next
            direct.send(execution, (bytes, at) => answers.push(cellsOf(bytes, at)))
            expected.push([`c${i}=${"v".repeat(i)}`])
            return frame(stream, 8, rows([[`c${i}`, "v".repeat(i)]]))
          }
          const other = frame(200 + i, 8, Buffer.from("x".repeat(i)))
          others.push(other)
          return other
        })
        const all = Buffer.concat(frames)
        for (let at = 0; at < all.length; ) {
          const size = sizes.next().value as number
          protocol.write(all.subarray(at, at + size))
          at += size
        }
        expect(answers).toEqual(expected)
        expect(Buffer.concat(state.toDriver)).toEqual(Buffer.concat(others))
        expect(state.freed).toHaveLength(expected.length)
      }
    )
  )
})

it("A statement that fails to read its answer takes no answer from the others", () => {
  const { connection, state, socket, protocol } = fakeConnection()
  const thrown: Array<() => void> = []
  vi.spyOn(globalThis, "setImmediate").mockImplementation(((task: () => void) => thrown.push(task)) as never)
  onTestFinished(() => void vi.restoreAllMocks())
  const direct = new DirectConnection(connection, TIMEOUT_MS, () => undefined)
  const answers: Array<unknown> = []
  const failing = (): void => {
    throw new Error("a defect")
  }
  for (const receive of [failing, (bytes: Buffer | undefined, at: number) => answers.push(cellsOf(bytes, at)), failing])
    direct.send(execution, receive)
  protocol.write(Buffer.concat([frame(0, 8, rows([["a", "1"]])), frame(1, 8, rows([["b", "2"]]))]))
  expect([answers, state.freed, state.toDriver]).toEqual([[["b=2"]], [0, 1], []])
  direct.send(execution, (bytes) => answers.push(bytes))
  socket.emit("close")
  expect(answers).toEqual([["b=2"], undefined])
  expect(thrown.length).toBe(2)
  for (const task of thrown) expect(task).toThrow("a defect")
})

it("Statements of one turn of the event loop leave with one write", async () => {
  const { connection, state } = fakeConnection()
  const direct = new DirectConnection(connection, TIMEOUT_MS, () => undefined)
  for (let i = 0; i < 10; i++) direct.send(execution, () => undefined)
  await turn()
  expect(state.written).toHaveLength(1)
})

it("Statements that wait for the end of the turn leave with one write, or with statements that do not wait", async () => {
  const { connection, state } = fakeConnection()
  const direct = new DirectConnection(connection, TIMEOUT_MS, () => undefined)
  const call = (): Promise<void> => new Promise(process.nextTick)
  for (let i = 0; i < 3; i++) {
    direct.send(execution, () => undefined, "after the turn")
    await call()
  }
  expect(state.written).toHaveLength(0)
  await turn()
  expect(state.written).toHaveLength(1)
  direct.send(execution, () => undefined, "after the turn")
  direct.send(execution, () => undefined)
  await call()
  await turn()
  expect(state.written).toHaveLength(2)
  expect(writtenFrames(state.written).map(([stream]) => stream)).toEqual([0, 1, 2, 3, 4])
})

/** The stream ids and the lengths of the frames that have been written. */
const writtenFrames = (written: ReadonlyArray<Buffer>): ReadonlyArray<readonly [stream: number, length: number]> => {
  const bytes = Buffer.concat(written)
  const found: Array<readonly [number, number]> = []
  for (let at = 0; at < bytes.length; ) {
    const length = 9 + bytes.readUInt32BE(at + 5)
    found.push([bytes.readInt16BE(at + 2), length])
    at += length
  }
  return found
}

it("Statements of any size leave whole and in order, turn after turn", async () => {
  const { connection, state } = fakeConnection()
  const direct = new DirectConnection(connection, TIMEOUT_MS, () => undefined)
  const sizes = [10, 30_000, 100, 40_000, 20, 200_000, 1, 65_000, 65_000, 5]
  for (const [at, size] of sizes.entries()) {
    direct.send({ ...execution, parameters: [Buffer.alloc(size, at)] }, () => undefined)
    if (at % 4 === 3) await turn()
  }
  await turn()
  expect(state.written).toHaveLength(3)
  const rest = 9 + 2 + 2 + 2 + 1 + 2 + 4 + 4
  expect(writtenFrames(state.written)).toEqual(sizes.map((size, stream) => [stream, size + rest]))
  const bytes = Buffer.concat(state.written)
  for (const [at, size] of sizes.entries()) expect(bytes.includes(Buffer.alloc(size, at))).toBe(true)
})

it("A statement with a value that does not fit its field is not sent, and the others leave", async () => {
  const { connection, state } = fakeConnection()
  const direct = new DirectConnection(connection, TIMEOUT_MS, () => undefined)
  const send = (parameters: ReadonlyArray<number>) => direct.send({ ...execution, parameters }, () => undefined)
  expect(() => send([2 ** 40])).toThrow()
  send([1])
  expect(() => send([1, 2 ** 40])).toThrow()
  send([2])
  await turn()
  expect(writtenFrames(state.written).map(([stream]) => stream)).toEqual([1, 3])
  expect(state.freed).toEqual([0, 2])
})

it("A statement is not sent when all stream ids are taken, or the connection is closed", () => {
  const { connection, socket, state } = fakeConnection()
  const direct = new DirectConnection(connection, TIMEOUT_MS, () => undefined)
  state.next = 100
  expect(direct.send(execution, () => undefined)).toBe(false)
  state.next = 0
  const answers: Array<unknown> = []
  expect(direct.send(execution, (bytes, at) => answers.push(cellsOf(bytes, at)))).toBe(true)
  socket.emit("close")
  expect(answers).toEqual([undefined])
  expect(direct.send(execution, () => undefined)).toBe(false)
})

it("Errors, warnings and other results are left to the driver", () => {
  const { connection, protocol } = fakeConnection()
  const direct = new DirectConnection(connection, TIMEOUT_MS, () => undefined)
  const answers: Array<unknown> = []
  const warned = frame(1, 8, rows([]))
  warned[1] = 8
  for (let i = 0; i < 3; i++) direct.send(execution, (bytes, at) => answers.push(cellsOf(bytes, at)))
  protocol.write(Buffer.concat([frame(0, 0, Buffer.alloc(6)), warned, frame(2, 8, int(1))]))
  expect(answers).toEqual([undefined, undefined, undefined])
})

it("A statement without an answer counts as timed out until a late answer frees its stream id", () => {
  vi.useFakeTimers()
  const { connection, protocol, socket, state } = fakeConnection()
  let sick = 0
  const direct = new DirectConnection(connection, 1000, () => sick++)
  const answers: Array<unknown> = []
  direct.send(execution, (bytes, at) => answers.push(cellsOf(bytes, at)))
  vi.advanceTimersByTime(1000)
  direct.send(execution, (bytes, at) => answers.push(cellsOf(bytes, at)))
  expect(connection.timedOutOperations).toBe(0)
  vi.advanceTimersByTime(1000)
  expect([connection.timedOutOperations, sick, state.freed]).toEqual([1, 1, []])
  protocol.write(Buffer.concat([frame(0, 8, rows([])), frame(1, 8, rows([]))]))
  // Only the second statement has a reader. The driver gets neither answer.
  expect([answers.length, state.toDriver.length, state.freed]).toEqual([1, 0, [0, 1]])
  vi.advanceTimersByTime(1000)
  expect([connection.timedOutOperations, sick]).toEqual([0, 1])
  socket.emit("close")
  expect(vi.getTimerCount()).toBe(0)
})
