import { describe, expect, it } from "vitest"
import { resultsOf } from "../../src/protocol/Messages.ts"
import { SerializationError } from "../../src/protocol/ProtocolError.ts"
import { serializers } from "../../src/protocol/Serializers.ts"
import { marko } from "./Elements.ts"

describe("A response", () => {
  const requestId = "41d2e28a-20a4-4ab0-b379-d810dede3786"
  const respond = (name: keyof typeof serializers, code: 200 | 204, data: readonly unknown[] | null): Buffer | string =>
    serializers[name].writeResponse({
      requestId,
      code,
      message: "",
      attributes: new Map([["host", "/127.0.0.1:1"]]),
      data: data === null ? null : resultsOf(data)
    })

  it("has the form of its version", () => {
    expect(respond("graphSONV3", 200, ["a"])).toBe(
      `{"requestId":"${requestId}","status":{"message":"","code":200,"attributes":{"@type":"g:Map","@value":["host","/127.0.0.1:1"]}},` +
        '"result":{"data":{"@type":"g:List","@value":["a"]},"meta":{"@type":"g:Map","@value":[]}}}'
    )
    expect(respond("graphSONV2", 200, ["a"])).toBe(
      `{"requestId":"${requestId}","status":{"message":"","code":200,"attributes":{"host":"/127.0.0.1:1"}},"result":{"data":["a"],"meta":{}}}`
    )
    expect(respond("graphSONV1", 204, null)).toBe(
      `{"@class":"java.util.HashMap","requestId":"${requestId}","status":{"@class":"java.util.HashMap","message":"","code":204,` +
        '"attributes":{"@class":"java.util.HashMap","host":"/127.0.0.1:1"}},"result":{"@class":"java.util.HashMap","data":null,' +
        '"meta":{"@class":"java.util.HashMap"}}}'
    )
    const binary = respond("graphBinaryV1", 204, null) as Buffer
    expect(binary.toString("hex")).toBe(
      `8100${requestId.replaceAll("-", "")}000000cc000000000000000001${"030000000004686f7374"}03000000000c2f3132372e302e302e313a3100000000fe01`
    )
    const text = respond("graphBinaryV1Text", 204, null) as Buffer
    expect(text.toString("latin1").endsWith("\0\0\0\x04null")).toBe(true)
  })

  it("repeats results by their bulk unless it contains traversers", () => {
    const data = { values: ["a", "b", "unused"], length: 2, bulks: Float64Array.of(2, 1), asTraversers: false }
    const written = (asTraversers: boolean): string =>
      serializers.graphSONV2Untyped.writeResponse({
        requestId,
        code: 200,
        message: "",
        attributes: null,
        data: { ...data, asTraversers }
      })
    expect(written(false)).toContain('"data":["a","a","b"]')
    expect(written(true)).toContain('"data":[{"bulk":2,"value":"a"},{"bulk":1,"value":"b"}]')
  })

  it("has the same bytes in one part and as a stream", () => {
    const batches = [resultsOf([]), resultsOf([1, "a"]), resultsOf([]), resultsOf([marko()])]
    for (const serializer of Object.values(serializers)) {
      const stream = serializer.stream(requestId)
      const items = batches.map((batch) => Buffer.from(stream.items(batch)))
      const whole = Buffer.concat([Buffer.from(stream.head(stream.count, null)), ...items, Buffer.from(stream.tail())])
      const at = serializer.writeResponse({
        requestId,
        code: 200,
        message: "",
        attributes: null,
        data: resultsOf([1, "a", marko()])
      })
      expect(whole.toString("latin1"), serializer.mime).toBe(Buffer.from(at).toString("latin1"))
      expect(stream.count).toBe(3)
    }
  })

  it("has the text of the Gremlin Console in text/plain", () => {
    const data = { values: [marko(), [1, "a"], null], length: 3, bulks: Float64Array.of(1, 2, 1), asTraversers: true }
    const text = serializers.text.writeResponse({ requestId, code: 200, message: "", attributes: null, data })
    expect(text).toBe("==>v[1]\n==>[1, a]\n==>[1, a]\n==>null")
  })
})

describe("A result that cannot be sent", () => {
  it("fails with a SerializationError that gives the reason", () => {
    let nested: unknown = []
    for (let depth = 0; depth < 100_000; depth++) nested = [nested]
    for (const serializer of [serializers.graphSONV3, serializers.graphSONV1, serializers.graphBinaryV1]) {
      const write = (value: unknown): unknown =>
        serializer.writeResponse({
          requestId: null,
          code: 200,
          message: "",
          attributes: null,
          data: resultsOf([value])
        })
      expect(() => write(nested)).toThrow(SerializationError)
      expect(() => write(() => 1)).toThrow("A result is a function, which cannot be sent to a client.")
      expect(() => write(new (class Odd {})())).toThrow("A result of type Odd cannot be sent to a client.")
    }
  })
})
