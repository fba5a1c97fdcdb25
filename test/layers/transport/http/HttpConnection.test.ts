import { EventEmitter } from "node:events"
import type { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { expect, it } from "vitest"
import { HttpConnection } from "../../../../src/layers/transport/http/HttpConnection.ts"
import { ReadingShare } from "../../../../src/layers/transport/shared/ReadingShare.ts"
import { defaultSettings } from "../../../../src/services/DefaultSettings.ts"

const memory = {
  open: () => ({ set: () => {}, mayHold: () => {}, close: () => {} }),
  used: () => 0,
  relieve: () => false
}

/** A request arrives. Returns its answer. */
const arrive = (connection: HttpConnection, headers: IncomingMessage["headers"] = {}): EventEmitter => {
  const response = Object.assign(new EventEmitter(), { shouldKeepAlive: true })
  connection.requestBegins({ headers } as IncomingMessage, response as unknown as ServerResponse)
  return response
}

it("An answer is being sent also while the body of the next request arrives", () => {
  const connection = new HttpConnection(new Socket(), defaultSettings(), new ReadingShare(setImmediate), memory)
  const body = { answerBroken: () => false }
  expect(connection.isAnswering).toBe(false)
  const first = arrive(connection)
  expect(connection.isAnswering).toBe(true)
  const second = arrive(connection, { "content-length": "10" })
  connection.bodyBegins(body)
  expect(connection.isAnswering).toBe(true)
  first.emit("close")
  expect(connection.isAnswering).toBe(false)
  connection.bodyEnds(body)
  expect(connection.isAnswering).toBe(true)
  second.emit("close")
  expect(connection.isAnswering).toBe(false)
})
