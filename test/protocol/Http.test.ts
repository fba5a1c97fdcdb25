import { describe, expect, it } from "vitest"
import { readHttpBody, readHttpQuery } from "../../src/protocol/HttpRequest.ts"
import { httpPayload, SerializerSet } from "../../src/protocol/Mime.ts"
import { ProtocolError } from "../../src/protocol/ProtocolError.ts"
import { defaultSerializers, serializerOfClass, serializers } from "../../src/protocol/Serializers.ts"
import { shape } from "./Shape.ts"

const id = "41d2e28a-20a4-4ab0-b379-d810dede3786"

describe("the JSON body of an HTTP request", () => {
  it("names script, variables and options", () => {
    const request = readHttpBody(
      Buffer.from(
        `{"gremlin":"g.V(x)","bindings":{"x":1,"d":1.0,"long":123456789012345678901234567890,"t":{"@type":"g:Int32","@value":1},"l":[1,null]},` +
          `"aliases":{"g":"social"},"language":"gremlin-lang","requestId":"${id.toUpperCase()}","evaluationTimeout":500,"batchSize":10,"materializeProperties":"tokens"}`
      )
    )
    expect(request.gremlin).toBe("g.V(x)")
    expect(shape(request.bindings)).toEqual({
      map: [
        ["x", 1n],
        ["d", { class: "Double", fields: [["value", 1]] }],
        ["long", { class: "BigInteger", fields: [["value", 123456789012345678901234567890n]] }],
        ["t", 1],
        ["l", [1n, null]]
      ]
    })
    expect([...request.aliases]).toEqual([["g", "social"]])
    expect(request).toMatchObject({
      language: "gremlin-lang",
      requestId: id,
      evaluationTimeout: 500,
      batchSize: 10,
      materializeProperties: "tokens"
    })
  })

  it("may call the script engine or query, and spell a number or a boolean plain", () => {
    expect(readHttpBody('{"engine":"1"}').gremlin).toBe("1")
    expect(readHttpBody('{"query":"1"}').gremlin).toBe("1")
    expect(readHttpBody('{"query":"2","gremlin":"1"}').gremlin).toBe("1")
    expect(readHttpBody('{"gremlin":5}').gremlin).toBe("5")
    expect(readHttpBody('{"gremlin":true}').gremlin).toBe("true")
    expect(readHttpBody('{"gremlin":""}').gremlin).toBe("")
    expect(readHttpBody('{"gremlin":null,"engine":"1"}').gremlin).toBe("1")
    expect(readHttpBody('{"gremlin":"a\nb"}').gremlin).toBe("a\nb")
  })

  it("takes the last of two members and ignores what follows the object", () => {
    expect(readHttpBody('{"gremlin":"1","gremlin":"2"} trailing').gremlin).toBe("2")
  })

  const failures: ReadonlyArray<readonly [string, RegExp, string | null]> = [
    ["", /^no gremlin script supplied$/, null],
    ["null", /^no gremlin script supplied$/, null],
    ["[]", /^no gremlin script supplied$/, null],
    ["5", /^no gremlin script supplied$/, null],
    ["{}", /^no gremlin script supplied$/, null],
    ['{"engine":null}', /^engine is null: its value must be the text of a script, such as "g.V\(\).count\(\)"$/, null],
    ['{"gremlin":[]}', /^gremlin is a list: /, null],
    ['{"query":{}}', /^query is an object: /, null],
    ['{"gremlin":{"@type":"g:UUID","@value":"41d2e28a-20a4-4ab0-b379-d810dede3786"}}', /^gremlin is no text: /, null],
    ["{nope", /^body could not be parsed: .* at line 1, column 2/, null],
    [`{"requestId":"${id}","gremlin":"x`, /^body could not be parsed/, id],
    ['{"gremlin":"1","bindings":null}', /^bindings must be a Map$/, null],
    [`{"requestId":"${id}","gremlin":"1","bindings":[1]}`, /^bindings must be a Map$/, id],
    ['{"gremlin":"1","aliases":"g"}', /^aliases must be a Map$/, null],
    ['{"gremlin":"1","requestId":"nope"}', /^Invalid UUID string: nope$/, null],
    ['{"gremlin":"1","evaluationTimeout":"soon"}', /^evaluationTimeout must be a whole number$/, null],
    ['{"gremlin":"1","batchSize":1.5}', /^batchSize must be a whole number$/, null]
  ]
  for (const [body, message, requestId] of failures) {
    it(`is refused when it is ${body === "" ? "empty" : body}`, () => {
      try {
        readHttpBody(body)
        expect.unreachable()
      } catch (error) {
        expect(error).toBeInstanceOf(ProtocolError)
        expect((error as ProtocolError).message).toMatch(message)
        expect((error as ProtocolError).requestId).toBe(requestId)
      }
    })
  }
})

describe("the query string of an HTTP request", () => {
  it("names the same, variables as strings", () => {
    const request = readHttpQuery(
      new URLSearchParams("gremlin=g.V(x)&bindings.x=1&aliases.g=social&evaluationTimeout=100&language=gremlin-lang")
    )
    expect(request.gremlin).toBe("g.V(x)")
    expect(shape(request.bindings)).toEqual({ map: [["x", "1"]] })
    expect([...request.aliases]).toEqual([["g", "social"]])
    expect(request.evaluationTimeout).toBe(100)
    expect(() => readHttpQuery(new URLSearchParams("x=1"))).toThrow("no gremlin script supplied")
  })
})

describe("the Accept header", () => {
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
    ["application/json;q=0", undefined],
    ["image/png", undefined]
  ]
  for (const [accept, mime] of cases) {
    it(`${JSON.stringify(accept)} is answered with ${mime ?? "nothing"}`, () => {
      expect(set.negotiate(accept)?.mime).toBe(mime)
    })
  }

  it("means the configured GraphSON by plain JSON", () => {
    expect(set.json).toBe(serializers.graphSONV3)
    expect(new SerializerSet([serializers.graphBinaryV1, serializers.graphSONV2]).negotiate("*/*")?.serializer).toBe(
      serializers.graphSONV2
    )
  })
})

describe("a binary WebSocket frame", () => {
  const set = new SerializerSet(defaultSerializers)
  const frame = (mime: string, payload: string): Buffer =>
    Buffer.concat([Buffer.of(mime.length), Buffer.from(mime), Buffer.from(payload)])

  it("names its format before the message", () => {
    for (const serializer of defaultSerializers) {
      const { serializer: found, payload, mime } = set.frame(frame(serializer.mime, "{}"))
      expect(found).toBe(serializer)
      expect(mime).toBe(serializer.mime)
      expect(payload.toString()).toBe("{}")
    }
    expect(set.frame(frame("application/json", "{}")).serializer).toBe(serializers.graphSONV3)
  })

  it("of an unknown format is taken for GraphBinary, and an empty or broken one for none", () => {
    expect(set.frame(frame("application/x", "{}")).serializer).toBe(serializers.graphBinaryV1)
    expect(set.frame(Buffer.alloc(0)).serializer).toBeUndefined()
    expect(set.frame(Buffer.from([0, 1])).serializer).toBeUndefined()
    expect(set.frame(Buffer.from([200, 1, 2])).serializer).toBeUndefined()
    expect(set.frame(frame("text/plain", "x")).serializer).toBeUndefined()
  })

  it("may stand in an HTTP body too, or its message alone", () => {
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

describe("the class name of a configured serializer", () => {
  it("means its format by the last part, whatever the package", () => {
    const find = (className: string, asText = false): string | undefined =>
      serializerOfClass({ className, asText })?.mime
    expect(find("org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV3")).toBe(
      "application/vnd.gremlin-v3.0+json"
    )
    expect(find("org.apache.tinkerpop.gremlin.driver.ser.GraphSONMessageSerializerV3d0")).toBe(
      "application/vnd.gremlin-v3.0+json"
    )
    expect(find("GraphSONMessageSerializerGremlinV1d0")).toBe("application/vnd.gremlin-v1.0+json")
    expect(find("GraphSONMessageSerializerV1d0")).toBe("application/vnd.gremlin-v1.0+json;types=false")
    expect(find("GraphSONUntypedMessageSerializerV2")).toBe("application/vnd.gremlin-v2.0+json;types=false")
    expect(find("x.GraphBinaryMessageSerializerV1")).toBe("application/vnd.graphbinary-v1.0")
    expect(find("x.GraphBinaryMessageSerializerV1", true)).toBe("application/vnd.graphbinary-v1.0-stringd")
    expect(find("GryoMessageSerializerV3d0")).toBeUndefined()
  })
})
