import { fragmented, frame, owed } from "./Frames.ts"
import { hostileScript } from "./HostileScripts.ts"
import { mutateBytes, mutateJson, mutateScript } from "./Mutations.ts"
import type { Random } from "./Random.ts"
import * as Requests from "./Requests.ts"
import { checkHttpAnswer, httpAnswers, isFinal } from "./Responses.ts"
import { authentication, preview, SocketWire, type Target, textMessage, Wire } from "./Wire.ts"

/** Maximum length of a message that the servers of the fuzzer accept. */
export const MAX_MESSAGE_BYTES = 65_536

/** The bytes that a case sends, for the report of its failure. */
export interface Sent {
  bytes: Buffer
}

const inPieces = (wire: Wire, bytes: Buffer, random: Random): void => {
  if (random.chance(0.8)) {
    wire.send(bytes)
    return
  }
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(bytes.length, at + 1 + random.below(Math.max(1, bytes.length >> 3)))
    wire.send(bytes.subarray(at, end))
    at = end
  }
}

/** HTTP: one well-formed answer for each request, and a closed connection after a malformed stream. */
export const http = async (target: Target, random: Random, sent: Sent): Promise<void> => {
  const basic =
    target.credentials === undefined ? undefined : `Basic ${Buffer.from(target.credentials).toString("base64")}`
  const credentials =
    basic === undefined || random.chance(0.8) ? basic : mutateBytes(Buffer.from(basic), random).toString("latin1")
  const { body, head } = Requests.http(random, random.uuid(), credentials)
  const lines = random.chance(0.5) ? Requests.mutateHead(head, random) : head
  const data = random.chance(0.5) ? mutateBytes(body, random) : body
  const whole = Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), data])
  sent.bytes = random.chance(0.2) ? mutateBytes(whole, random) : whole
  const isHead = /^HEAD\b/.test(sent.bytes.toString("latin1", 0, 5))
  const wire = new Wire(target)
  inPieces(wire, sent.bytes, random)
  const complete = (): boolean =>
    httpAnswers(wire.received, isHead, wire.closed).answers.some(({ status }) => status >= 200 || status === 101)
  await wire.until(complete, "an answer to HTTP")
  const early = httpAnswers(wire.received, isHead, wire.closed).answers
  if (early.some(({ status }) => status === 101)) {
    wire.end()
    return
  }
  // The answer to HEAD has no body, unlike the answer to the probe. After HEAD, only the end is checked.
  if (isHead) {
    for (const answer of early) checkHttpAnswer(answer, true)
    wire.end()
    return
  }
  // Sent twice, because the first one may complete the body of the request. If the body ends within the last line ends of the
  // second one, only the byte after them is not ignored before a request.
  wire.send(`${"GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".repeat(2)}\0`)
  await wire.until(() => false, "the end of the connection")
  const { answers, rest } = httpAnswers(wire.received, false, true)
  if (rest.length > 0) throw new Error(`something behind the answers: ${preview(rest)}`)
  for (const answer of answers) {
    checkHttpAnswer(answer, false)
    if (answer.body.includes("This is a defect")) throw new Error(answer.body.toString())
  }
  const final = answers.filter(({ status }) => status >= 200)
  if (final.length === 0) throw new Error("no answer")
  const requests = sent.bytes.toString("latin1").match(/HTTP\/\d/g)?.length ?? 0
  if (final.length > Math.max(1, requests) + 1) throw new Error(`${final.length} answers to ${requests} requests`)
}

/** Expects the answers to all requests, then the answer to a normal request, and nothing else. */
const settle = async (socket: SocketWire, messages: number, random: Random): Promise<void> => {
  const finals = (): number => socket.answers.filter(({ code }) => isFinal(code)).length
  await socket.until(() => finals() >= messages || !socket.open, "the answers")
  if (!socket.open) throw new Error(`closed with ${socket.closeCode} before its answers`)
  const id = random.uuid()
  socket.wire.send(textMessage(id, "1"))
  const answered = (): boolean => socket.answers.some(({ code, requestId }) => requestId === id && isFinal(code))
  await socket.until(answered, "the answer to a normal request")
  if (!socket.open) throw new Error(`closed with ${socket.closeCode} before a normal request`)
  if (finals() !== messages + 1) throw new Error(`${finals() - 1} answers to ${messages} messages`)
}

/** The codes with which a server closes a connection because of what a client has sent. */
const FAULT_CODES = [1002, 1003, 1007, 1008, 1009]

/**
 * Expects that the connection is closed with a code of the protocol: that of the client if it has sent a close frame.
 *
 * @param own the code of the client's close frame
 */
const refused = async (socket: SocketWire, atMost: number, own?: number): Promise<void> => {
  await socket.until(() => false, "the close")
  if (socket.closeCode === null) throw new Error("cut without a close code")
  const expected = own === undefined ? FAULT_CODES : [own]
  if (!expected.includes(socket.closeCode))
    throw new Error(`the close code ${socket.closeCode}, and not ${expected.join(" or ")}`)
  const finals = socket.answers.filter(({ code }) => isFinal(code)).length
  if (finals > atMost) throw new Error(`${finals} answers to ${atMost} messages`)
}

/** Frames of every kind, valid or not, checked against a model of RFC 6455. */
export const frames = async (target: Target, random: Random, sent: Sent): Promise<void> => {
  const parts: Array<Buffer> = []
  for (let i = 1 + random.below(3); i > 0; i--) {
    const { json, mime } = Requests.graphson(random, random.uuid())
    const binary = random.chance(0.5)
    const payload = binary ? Requests.framedMime(mime, json) : Buffer.from(json)
    const opcode = binary ? 2 : 1
    switch (random.below(10)) {
      case 0:
        parts.push(frame(random.below(16), random.bytes(random.below(200)), { fin: random.chance(0.7) }))
        break
      case 1:
        parts.push(frame(opcode, payload, { reserved: random.below(8), masked: random.chance(0.7) }))
        break
      case 2:
        parts.push(
          frame(opcode, payload, {
            claimed: random.one([0n, 5n, 125n, 126n, 65_535n, 65_537n, 2n ** 32n, 2n ** 63n - 1n])
          })
        )
        break
      case 3:
        parts.push(frame(8, random.bytes(random.below(8))))
        break
      case 4:
        parts.push(mutateBytes(frame(opcode, payload), random))
        break
      case 5:
        parts.push(frame(opcode, payload, { long: true }))
        break
      case 6:
        parts.push(frame(random.one([9, 10]), random.bytes(random.below(126))))
        break
      default:
        parts.push(...fragmented(opcode, random.chance(0.2) ? mutateBytes(payload, random) : payload, random))
    }
  }
  sent.bytes = Buffer.concat(parts)
  const { closeCode, messages, state } = owed(sent.bytes, MAX_MESSAGE_BYTES)
  const socket = await SocketWire.open(target)
  try {
    inPieces(socket.wire, sent.bytes, random)
    if (state === "open") await settle(socket, messages, random)
    // A message that is too large is answered too.
    else if (state === "broken" || state === "closed") await refused(socket, messages + 1, closeCode)
    else {
      const finals = (): number => socket.answers.filter(({ code }) => isFinal(code)).length
      await socket.until(() => finals() >= messages, "the answers before an incomplete message")
      if (finals() < messages) throw new Error(`closed with ${socket.closeCode} before its answers`)
    }
  } finally {
    socket.wire.end()
  }
}

/** A message with any content in a complete frame. */
export const message = (kind: "graphson" | "graphbinary" | "script", random: Random): Buffer => {
  const id = random.uuid()
  switch (kind) {
    case "graphson": {
      const { json, mime } = Requests.graphson(random, id)
      const changed = random.chance(0.8) ? mutateJson(json, random) : json
      const text = Buffer.from(changed)
      const bytes = random.chance(0.3) ? mutateBytes(text, random) : text
      if (random.chance(0.3)) return bytes
      return Requests.framedMime(
        random.chance(0.95) ? mime : random.one(["", "x", "application/json; charset=x"]),
        bytes
      )
    }
    case "graphbinary": {
      const bytes = random.chance(0.6)
        ? mutateBytes(Requests.graphbinary(random, id), random)
        : Buffer.concat([
            Requests.binaryHead(id, random.one(["x", "bindings", "session", "aliases", "batchSize", "__proto__"])),
            random.chance(0.8) ? Requests.garbageValue(random, 0) : Requests.deepValue(random)
          ])
      return Requests.framedMime(Requests.BINARY, bytes)
    }
    default: {
      const script = random.chance(0.3) ? hostileScript(random) : mutateScript(random.one(Requests.scripts), random)
      const args = { gremlin: script, bindings: { x: 1, name: "marko" } }
      const inSession = random.chance(0.2)
      return Buffer.from(
        JSON.stringify({
          requestId: id,
          op: "eval",
          processor: inSession ? "session" : "",
          args: inSession ? { ...args, session: "s" } : args
        })
      )
    }
  }
}

const framed = (payload: Buffer): Buffer => frame(payload[0] === 0x7b ? 1 : 2, payload)

/** Expects one answer to a message, on a connection that cases share. Invalid UTF-8 closes the connection. */
export const payload = async (socket: SocketWire, bytes: Buffer, random: Random): Promise<void> => {
  socket.answers.length = 0
  const sent = framed(bytes)
  socket.wire.send(sent)
  if (owed(sent, MAX_MESSAGE_BYTES).state === "open") await settle(socket, 1, random)
  else await refused(socket, 1)
}

/** Before authentication: expects a challenge or a refusal and, after the right password, the pending answers. */
export const unauthenticated = async (target: Target, random: Random, sent: Sent): Promise<void> => {
  const kind = random.one(["graphson", "graphbinary", "script"] as const)
  sent.bytes = framed(message(kind, random))
  const socket = await SocketWire.open(target)
  try {
    socket.wire.send(sent.bytes)
    if (owed(sent.bytes, MAX_MESSAGE_BYTES).state === "broken") return await refused(socket, 1)
    await socket.until(() => socket.answers.length >= 1, "a challenge or an answer")
    if (socket.answers.length !== 1) throw new Error(`${socket.answers.length} answers to one message, or a cut`)
    const challenged = socket.answers[0]!.code === 407
    if (socket.answers[0]!.code < 400) throw new Error("answered without authentication")
    socket.wire.send(authentication(random.uuid(), target.credentials!))
    if (challenged) {
      await socket.until(() => socket.answers.some(({ code }) => isFinal(code)), "the answer that waited")
      socket.answers.splice(0, 1)
    }
    // Without a challenge, the right password has an answer of its own.
    await settle(socket, challenged ? 1 : 2, random)
  } finally {
    socket.wire.end()
  }
}
