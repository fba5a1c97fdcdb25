import { randomUUID } from "node:crypto"
import { createRequire } from "node:module"
import { describe, expect, it } from "vitest"
import { driverLimits } from "../../../../src/layers/transport/shared/DriverLimits.ts"
import { serializers } from "../../../../src/protocol/Serializers.ts"
import { parseDate } from "../../../../src/structure/times/Dates.ts"
import { Timestamp } from "../../../../src/structure/times/Temporal.ts"
import { http } from "../../support/HttpClient.ts"
import { binaryMessage, SocketClient } from "../../support/SocketClient.ts"
import { eventually, modern, startServer } from "../../support/TestServers.ts"

const { graphBinaryWriter }: { readonly graphBinaryWriter: { readonly writeRequest: (request: object) => Buffer } } =
  createRequire(import.meta.url)("gremlin/lib/structure/io/binary/GraphBinary")

const go36 = "NotAvailable Gremlin-Go.3.6.8 go1.20 linux.NotAvailable amd64"
const python36 = "NotAvailable Gremlin-Python.3.6.8 3.11.2 Linux.6 x86_64"
const python37 = "NotAvailable Gremlin-Python.3.7.3 3.11.2 Linux.6 x86_64"
const python38 = "NotAvailable Gremlin-Python.3.8.1 3.11.2 Linux.6 x86_64"

const requestOf = (gremlin: string): Buffer =>
  graphBinaryWriter.writeRequest({ requestId: randomUUID(), op: "eval", processor: "", args: { gremlin } })

/** The answer of a WebSocket in GraphBinary, in hexadecimal digits. */
const overWebSocket = async (userAgent: string, gremlin: string): Promise<string> => {
  const { authority } = await startServer(modern)
  const client = await SocketClient.connect(authority, "/gremlin", { headers: { "User-Agent": userAgent } })
  client.ws.removeAllListeners("message")
  const answers: Array<Buffer> = []
  client.ws.on("message", (data: Buffer) => answers.push(data))
  client.ws.send(binaryMessage(serializers.graphBinaryV1.mime, requestOf(gremlin)))
  await eventually(() => answers.length === 1)
  return answers[0]!.toString("hex")
}

/** The answer of HTTP in a driver's format. */
const overHttp = async (userAgent: string, gremlin: string, mime: string): Promise<Buffer> => {
  const { authority } = await startServer(modern)
  const isBinary = mime === serializers.graphBinaryV1.mime
  const headers = {
    "User-Agent": userAgent,
    Accept: mime,
    "Content-Type": isBinary ? mime : "application/json"
  }
  const body = isBinary ? binaryMessage(mime, requestOf(gremlin)) : JSON.stringify({ gremlin })
  return (await http(authority, { method: "POST", path: "/gremlin", headers }, body)).bytes
}

/** The end of a property without its properties: no parent, and null. */
const bareProperty = /0300000000056d61726b6ffe01fe01/

const moment = parseDate("2023-08-02T10:00:00+02:00")
const withOffset = serializers.graphBinaryV1.writeValue(moment).toString("hex")
const asDate = serializers.graphBinaryV1.writeValue(new Timestamp(moment.epochMillis)).toString("hex")

describe("The limits of a driver", () => {
  it.each([
    [undefined, false, false],
    ["Mozilla/5.0", false, false],
    ["Python/3.11 aiohttp/3.9.1", false, false],
    [go36, true, true],
    [python36, true, true],
    ["app Gremlin-Javascript.3.5.5 18 Linux.6 x64", true, true],
    ["app gremlin-dotnet.3.6.8 6.0 Unix.6 X64", false, true],
    ["app gremlin-dotnet.3.7.3 6.0 Unix.6 X64", false, true],
    ["app Gremlin-Go.3.7.3 go1.20 linux.NotAvailable amd64", false, true],
    [python37, false, true],
    ["app Gremlin-Javascript.3.7.4 18 Linux.6 x64", false, true],
    ["app Gremlin-Java.3.6.8 11 Linux.6 amd64", false, false],
    ["app Gremlin-Go.3.8.0 go1.20 linux.NotAvailable amd64", false, false],
    ["app Gremlin-Javascript.3.10.0 18 Linux.6 x64", false, false],
    [python38, false, false]
  ])("follow from its User-Agent: %s", (userAgent, referencesOnly, datesOnly) => {
    expect(driverLimits(userAgent)).toEqual({ referencesOnly, datesOnly })
  })
})

describe("A driver that skips properties in GraphBinary", () => {
  it("gets vertices, edges and properties without properties", async () => {
    expect(await overWebSocket(go36, "g.V(1).properties('name')")).toMatch(bareProperty)
    expect(await overWebSocket(go36, "g.V(1)")).not.toContain(Buffer.from("marko").toString("hex"))
    expect(await overWebSocket(go36, "g.E(7)")).not.toContain(Buffer.from("weight").toString("hex"))
    expect(await overWebSocket(go36, "g.with('materializeProperties', 'all').V(1).properties('name')")).toMatch(
      bareProperty
    )
    expect(await overWebSocket(python37, "g.V(1)")).toContain(Buffer.from("marko").toString("hex"))
  })

  it("gets them so over HTTP, too", async () => {
    const answer = await overHttp(python36, "g.V(1)", serializers.graphBinaryV1.mime)
    expect(answer.toString("latin1")).not.toContain("marko")
    const other = await overHttp("curl/8", "g.V(1)", serializers.graphBinaryV1.mime)
    expect(other.toString("latin1")).toContain("marko")
  })
})

describe("A driver without OffsetDateTime", () => {
  const nested = "g.inject([a: [datetime('2023-08-02T10:00:00+02:00')]])"

  it("gets the moment as Date in GraphBinary", async () => {
    expect(await overWebSocket(python37, nested)).toContain(asDate)
    expect(await overWebSocket(python37, nested)).not.toContain(withOffset)
    expect(await overWebSocket(python38, nested)).toContain(withOffset)
  })

  it.each([
    ["application/vnd.gremlin-v3.0+json", `{"@type":"g:Date","@value":${moment.epochMillis}}`],
    ["application/vnd.gremlin-v2.0+json", `{"@type":"g:Date","@value":${moment.epochMillis}}`],
    ["application/vnd.gremlin-v1.0+json", `["java.util.Date",${moment.epochMillis}]`]
  ])("gets it as Date in %s", async (mime, expected) => {
    expect((await overHttp(python37, nested, mime)).toString()).toContain(expected)
    expect((await overHttp(python38, nested, mime)).toString()).toContain('"2023-08-02T10:00+02:00"')
    expect((await overHttp("curl/8", nested, mime)).toString()).toContain('"2023-08-02T10:00+02:00"')
  })

  it("gets it as Date in the properties of an element", async () => {
    const script = "g.addV('a').property('at', datetime('2023-08-02T10:00:00+02:00'))"
    expect(await overWebSocket(python37, script)).toContain(asDate)
  })
})
