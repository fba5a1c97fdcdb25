import { describe, expect, it } from "vitest"
import { integral, readHttpBody, readHttpQuery } from "../../src/protocol/HttpRequest.ts"
import { ProtocolError } from "../../src/protocol/ProtocolError.ts"
import { BigInteger, Byte, Double } from "../../src/structure/numbers/Numbers.ts"
import { shape } from "./Shape.ts"

const id = "41d2e28a-20a4-4ab0-b379-d810dede3786"

describe("The JSON body of an HTTP request", () => {
  it("contains the script, its variables and options", () => {
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

  it("may have the script under engine or query, and as a number or a boolean", () => {
    expect(readHttpBody('{"engine":"1"}').gremlin).toBe("1")
    expect(readHttpBody('{"query":"1"}').gremlin).toBe("1")
    expect(readHttpBody('{"query":"2","gremlin":"1"}').gremlin).toBe("1")
    expect(readHttpBody('{"gremlin":5}').gremlin).toBe("5")
    expect(readHttpBody('{"gremlin":true}').gremlin).toBe("true")
    expect(readHttpBody('{"gremlin":""}').gremlin).toBe("")
    expect(readHttpBody('{"gremlin":null,"engine":"1"}').gremlin).toBe("1")
    expect(readHttpBody('{"gremlin":"a\nb"}').gremlin).toBe("a\nb")
  })

  it("has the last value of a repeated member, and ignores text after the object", () => {
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
    // The text of a list may be very long.
    ['{"gremlin":"1","aliases":{"g":[1,2]}}', /^aliases must be a Map of names to names of traversal sources$/, null],
    ['{"gremlin":"1","aliases":{"g":null}}', /^aliases must be a Map of names to names of traversal sources$/, null],
    [`{"requestId":"${id}","gremlin":"1","language":[1]}`, /^language must be a text$/, id],
    ['{"gremlin":"1","materializeProperties":{}}', /^materializeProperties must be a text$/, null],
    ['{"gremlin":"1","requestId":[1,2]}', /^Invalid UUID string: a list$/, null],
    ['{"gremlin":"1","requestId":"nope"}', /^Invalid UUID string: nope$/, null],
    ['{"gremlin":"1","evaluationTimeout":"soon"}', /^evaluationTimeout must be a whole number$/, null],
    ['{"gremlin":"1","batchSize":1.5}', /^batchSize must be a whole number$/, null],
    [
      `{"requestId":"${id}","gremlin":"1","aliases.g":"g_other"}`,
      /^aliases\.g is no member of a JSON body\. Write \{"aliases": \{"g": \.\.\}\}\.$/,
      id
    ],
    ['{"gremlin":"1","bindings.a.b":1}', /^bindings\.a\.b is no member .* Write \{"bindings": \{"a\.b": /, null]
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

describe("The query string of an HTTP request", () => {
  it("contains the script and its options, and variables as strings", () => {
    const request = readHttpQuery(
      new URLSearchParams("gremlin=g.V(x)&bindings.x=1&aliases.g=social&evaluationTimeout=100&language=gremlin-lang")
    )
    expect(request.gremlin).toBe("g.V(x)")
    expect(shape(request.bindings)).toEqual({ map: [["x", "1"]] })
    expect([...request.aliases]).toEqual([["g", "social"]])
    expect(request.evaluationTimeout).toBe(100)
    expect(() => readHttpQuery(new URLSearchParams("x=1"))).toThrow("no gremlin script supplied")
  })

  it("is refused with bindings or aliases as JSON, which would not be those of the request", () => {
    const read = (name: string, value: string) => () =>
      readHttpQuery(new URLSearchParams({ gremlin: "g.V().count()", [name]: value }))
    expect(read("aliases", '{"g":"g_other"}')).toThrow("such as aliases.g=g_other, and no parameter aliases")
    expect(read("bindings", '{"x":1}')).toThrow("such as bindings.x=1, and no parameter bindings")
    expect(read("bindings", "")().bindings.size).toBe(0)
  })
})

describe("A whole number", () => {
  it("may be sent as a number of any type", () => {
    expect([5, 5n, new Double(5), new Byte(5), new BigInteger(5n), "5"].map(integral)).toEqual([5, 5, 5, 5, 5, 5])
    expect([1.5, 2n ** 60n, "x", null, true, undefined].map(integral)).toEqual(Array(6).fill(undefined))
  })
})
