import { describe, expect, it } from "vitest"
import { httpPayload, SerializerSet } from "../../src/protocol/Mime.ts"
import { defaultSerializers, serializers } from "../../src/protocol/Serializers.ts"

describe("The Accept header", () => {
  const set = new SerializerSet(defaultSerializers)
  const cases: ReadonlyArray<readonly [string | undefined, string | undefined]> = [
    [undefined, "application/json"],
    ["", "application/json"],
    ["*/*", "application/json"],
    ["application/*", "application/json"],
    ["application/json", "application/json"],
    ["Application/JSON; charset=utf-8", "application/json"],
    ["text/html, application/xhtml+xml;q=0.9, */*;q=0.8", "application/json"],
    ["text/plain", "text/plain"],
    ["text/*", "text/plain"],
    ["application/vnd.gremlin-v3.0+json", "application/vnd.gremlin-v3.0+json"],
    ["application/vnd.gremlin-v1.0+json;types=false", "application/vnd.gremlin-v1.0+json;types=false"],
    ["application/vnd.gremlin-v2.0+json; types=false; q=0.5", "application/vnd.gremlin-v2.0+json;types=false"],
    ["application/vnd.graphbinary-v1.0", "application/vnd.graphbinary-v1.0"],
    [
      "application/vnd.gremlin-v2.0+json;q=0.1, application/vnd.gremlin-v3.0+json;q=0.9",
      "application/vnd.gremlin-v3.0+json"
    ],
    ["application/vnd.gremlin-v2.0+json, application/vnd.gremlin-v3.0+json", "application/vnd.gremlin-v2.0+json"],
    ["*/*, application/vnd.graphbinary-v1.0", "application/vnd.graphbinary-v1.0"],
    ["text/plain;q=abc", "text/plain"],
    ["*/*, application/json;q=0", undefined],
    ["*/*, APPLICATION/json; q=0.0, text/plain;q=0.1", "text/plain"],
    ["application/json;q=0", undefined],
    ["image/png", undefined]
  ]
  for (const [accept, mime] of cases) {
    it(`${JSON.stringify(accept)} selects ${mime ?? "no format"}`, () => {
      expect(set.negotiate(accept)?.mime).toBe(mime)
    })
  }

  it("selects the configured GraphSON for application/json", () => {
    expect(set.json).toBe(serializers.graphSONV3)
    expect(new SerializerSet([serializers.graphBinaryV1, serializers.graphSONV2]).negotiate("*/*")?.serializer).toBe(
      serializers.graphSONV2
    )
  })
})

describe("A binary WebSocket frame", () => {
  const set = new SerializerSet(defaultSerializers)
  const frame = (mime: string, payload: string): Buffer =>
    Buffer.concat([Buffer.of(mime.length), Buffer.from(mime), Buffer.from(payload)])

  it("has the name of its format before the message", () => {
    for (const serializer of defaultSerializers) {
      const { serializer: found, payload, mime } = set.frame(frame(serializer.mime, "{}"))
      expect(found).toBe(serializer)
      expect(mime).toBe(serializer.mime)
      expect(payload.toString()).toBe("{}")
    }
    expect(set.frame(frame("application/json", "{}")).serializer).toBe(serializers.graphSONV3)
  })

  it("is read as GraphBinary if its format is unknown and it begins so, and has no format if it is malformed", () => {
    const begin = Buffer.of(0x81)
    const unknown = (mime: string) => set.frame(Buffer.concat([frame(mime, ""), begin])).serializer
    expect(unknown("application/x")).toBe(serializers.graphBinaryV1)
    expect(unknown("application/vnd.gremlin-v3.0+gryo")).toBeUndefined()
    expect(set.frame(frame("application/x", "{}")).serializer).toBeUndefined()
    expect(set.frame(Buffer.alloc(0)).serializer).toBeUndefined()
    expect(set.frame(Buffer.from([0, 1])).serializer).toBeUndefined()
    expect(set.frame(Buffer.from([200, 1, 2])).serializer).toBeUndefined()
    expect(set.frame(frame("text/plain", "x")).serializer).toBeUndefined()
  })

  it("may also be the body of an HTTP request, with or without the name of its format", () => {
    const { graphSONV3, graphBinaryV1 } = serializers
    expect(httpPayload(graphSONV3, frame(graphSONV3.mime, "{}"))?.toString()).toBe("{}")
    expect(httpPayload(graphSONV3, Buffer.from('{"a":1}'))?.toString()).toBe('{"a":1}')
    expect(httpPayload(graphSONV3, frame(graphBinaryV1.mime, "{}"))).toBeUndefined()
    expect(httpPayload(graphBinaryV1, frame(graphBinaryV1.mime, "\x01"))?.length).toBe(1)
    expect(httpPayload(graphBinaryV1, frame(graphSONV3.mime, "{}"))).toBeUndefined()
    expect(httpPayload(graphBinaryV1, Buffer.from([0x81, 1, 2]))?.length).toBe(3)
    expect(httpPayload(graphBinaryV1, Buffer.alloc(0))?.length).toBe(0)
  })
})
