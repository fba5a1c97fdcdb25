import * as fc from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import type { RequestMessage } from "../../src/protocol/Messages.ts"
import { ProtocolError } from "../../src/protocol/ProtocolError.ts"
import type { Serializer } from "../../src/protocol/Serializer.ts"
import { serializers } from "../../src/protocol/Serializers.ts"
import { values } from "./Arbitraries.ts"
import { shape } from "./Shape.ts"

const id = "41d2e28a-20a4-4ab0-b379-d810dede3786"
const v3 = serializers.graphSONV3

const failure = (serializer: Serializer, message: Buffer | string): ProtocolError => {
  try {
    serializer.readMessage(message)
  } catch (error) {
    if (error instanceof ProtocolError) return error
    throw error
  }
  throw new Error("The message was read.")
}

describe("A request message in GraphSON", () => {
  it("may have its id as a string or a UUID, and its args as an object or a g:Map", () => {
    const same = (message: RequestMessage): void => {
      expect(message.requestId).toBe(id)
      expect(message.op).toBe("eval")
      expect(message.processor).toBe("")
      expect(message.args.gremlin).toBe("g.V(x)")
      expect(shape(message.args.bindings)).toEqual({ map: [["x", 1]] })
    }
    same(
      v3.readMessage(`{"requestId":"${id}","op":"eval","processor":"","args":{"gremlin":"g.V(x)","bindings":{"x":1}}}`)
    )
    same(
      v3.readMessage(
        `{"requestId":{"@type":"g:UUID","@value":"${id.toUpperCase()}"},"op":"eval","args":{"@type":"g:Map","@value":["gremlin","g.V(x)",` +
          '"bindings",{"@type":"g:Map","@value":["x",{"@type":"g:Int32","@value":1}]}]}}'
      )
    )
    same(
      v3.readMessage(
        `{ "args": {"bindings": {"x": 1}, "gremlin": "g.V(x)"}, "op": "eval", "more": [1, {}], "requestId": {"@value": "${id}", "@type": "g:UUID"} }`
      )
    )
    same(
      serializers.graphSONV1.readMessage(
        `{"@class":"org.apache.tinkerpop.gremlin.driver.message.RequestMessage","requestId":["java.util.UUID","${id}"],"op":"eval","processor":"",` +
          '"args":{"@class":"java.util.HashMap","gremlin":"g.V(x)","bindings":{"@class":"java.util.HashMap","x":1}}}'
      )
    )
  })

  it("has the types of Java classes in GraphSON 1", () => {
    const { args } = serializers.graphSONV1.readMessage(
      `{"requestId":["java.util.UUID","${id}"],"op":"eval","args":{"@class":"java.util.HashMap","gremlin":"g.V(x)","bindings":{"@class":"java.util.HashMap",` +
        '"l":["java.lang.Long",9007199254740993],"list":["java.util.ArrayList",[1,["java.util.HashSet",["a"]]]],"d":{"@class":"java.time.Duration","value":"PT1S"}}}}'
    )
    expect(shape(args.bindings)).toEqual({
      map: [
        ["l", 9007199254740993n],
        ["list", [1, { set: ["a"] }]],
        [
          "d",
          {
            class: "Duration",
            fields: [
              ["seconds", 1n],
              ["nanos", 0]
            ]
          }
        ]
      ]
    })
  })

  it("keeps known arguments as fields, and other arguments by name", () => {
    const { args } = v3.readMessage(
      `{"requestId":"1-1-1-1-1","op":"eval","processor":"session","args":{"engine":"g.V()","session":"s","language":"gremlin-lang","batchSize":{"@type":"g:Int64","@value":5},` +
        '"scriptEvaluationTimeout":100,"userAgent":"x","manageTransaction":true,"materializeProperties":"tokens","__proto__":1,"constructor":"c"}}'
    )
    expect(args.gremlin).toBe("g.V()")
    expect(args.session).toBe("s")
    expect(args.language).toBe("gremlin-lang")
    expect(args.batchSize).toBe(5n)
    expect(args.evaluationTimeout).toBe(100)
    expect(args.manageTransaction).toBe(true)
    expect(args.materializeProperties).toBe("tokens")
    expect([...args.rest!]).toEqual([
      ["__proto__", 1],
      ["constructor", "c"]
    ])
    expect(args.bindings).toBeUndefined()
  })

  it("fails with its id if it cannot be read, at any position of the id", () => {
    const problems: ReadonlyArray<readonly [string, RegExp]> = [
      [
        `{"requestId":"${id}","op":"eval","args":{"gremlin":{"@type":"g:Nope","@value":1}}}`,
        /type 'g:Nope' is not known at line 1/
      ],
      [
        `{"op":"eval","args":{"x":{"@type":"g:Int32","@value":"one"}},"requestId":{"@type":"g:UUID","@value":"${id}"}}`,
        /no integer/
      ],
      [`{"requestId":"${id}","args":{}}`, /has no op/],
      [`{"requestId":"${id}","op":"eval","args":`, /ends where/],
      [`{"requestId":["java.util.UUID","${id}"],"op":"eval"`, /.*/],
      [`{"requestId":"${id}","op":"eval"} x`, /Expected the end, found 'x'/],
      [`{"requestId":"${id}","op":5}`, /has no op/]
    ]
    for (const [text, message] of problems) {
      const error = failure(v3, text)
      expect(error.message).toMatch(message)
      expect(error.requestId, text).toBe(id)
    }
    expect(failure(v3, '{"requestId":"nope","op":"eval"}').requestId).toBeNull()
    expect(failure(v3, '{"op":"eval"}').message).toMatch(/no requestId/)
    for (const text of ["", "null", "5", "[]", "{", "}", '"', "nul", "\ufeff", "{}"])
      expect(failure(v3, text).requestId).toBeNull()
  })

  it("fails with a ProtocolError if it is cut at any character", () => {
    const whole =
      `{"requestId":{"@type":"g:UUID","@value":"${id}"},"op":"bytecode","processor":"traversal","args":{"gremlin":{"@type":"g:Bytecode","@value":{"step":` +
      '[["V"],["has","a\\u00e9",{"@type":"g:P","@value":{"predicate":"within","value":{"@type":"g:List","@value":[-1.5e3,true,null]}}}]]}}}}'
    v3.readMessage(whole)
    for (let end = 0; end < whole.length; end++) {
      const error = failure(v3, whole.slice(0, end))
      if (end > whole.indexOf("op")) expect(error.requestId).toBe(id)
    }
  })

  it("fails with a ProtocolError, and no other error, for random text", () => {
    const tokens = [
      '{"@type":"',
      '","@value":',
      "[",
      "]",
      "{",
      "}",
      ",",
      ":",
      '"',
      "1",
      "-",
      "e9",
      ".",
      "null",
      "true",
      "\\",
      "g:",
      "Map",
      "List",
      "Edge",
      "P",
      "T",
      "UUID",
      "Metrics",
      "Tree",
      " "
    ]
    const text = fc.oneof(
      fc.string(),
      fc.array(fc.constantFrom(...tokens), { maxLength: 30 }).map((parts) => parts.join(""))
    )
    fc.assert(
      fc.property(text, (junk) => {
        failure(v3, junk)
        failure(serializers.graphSONV1, `{"requestId":"${id}","op":"eval","args":{"x":${junk}`)
        failure(v3, `{"requestId":"${id}","op":"eval","args":{"gremlin":${junk}`)
      }),
      { numRuns: 1000 }
    )
  })

  it("is refused if a value does not have the form of its type", () => {
    const names = [
      "Int32",
      "Int64",
      "Double",
      "UUID",
      "Date",
      "Map",
      "BulkSet",
      "Vertex",
      "Edge",
      "Path",
      "Tree",
      "P",
      "TextP",
      "Bytecode",
      "Binding",
      "Lambda",
      "T",
      "Metrics",
      "Traverser"
    ]
    for (const value of [
      "{}",
      '"x"',
      "[1]",
      '[[["a"]]]',
      "true",
      '{"predicate":5}',
      '{"predicate":"nope","value":1}',
      "[{}]",
      "-"
    ]) {
      for (const name of names) {
        const text = `{"requestId":"${id}","op":"eval","args":{"x":{"@type":"g:${name}","@value":${value}}}}`
        try {
          v3.readMessage(text)
        } catch (error) {
          expect(error, text).toBeInstanceOf(ProtocolError)
          expect((error as ProtocolError).requestId).toBe(id)
        }
      }
    }
  })

  it("is refused in linear time if it nests too deep, also with values before their type", () => {
    const depth = 100_000
    const nested = [
      `${"[".repeat(depth)}`,
      `${'{"a":'.repeat(depth)}`,
      `${'{"@type":"g:List","@value":['.repeat(depth)}`,
      `${'{"@value":['.repeat(depth)}`,
      `${'{"@type":"g:Metrics","@value":'.repeat(depth)}`,
      `${'{"@type":"g:TraversalMetrics","@value":'.repeat(depth)}`,
      `${'{"@type":"g:TraversalExplanation","@value":'.repeat(depth)}`
    ]
    for (const text of nested) {
      const error = failure(v3, `{"requestId":"${id}","op":"eval","args":{"x":${text}`)
      expect(error.message).toMatch(/nests deeper than 1000 levels/)
      expect(error.requestId).toBe(id)
    }
    const turned = `${'{"@value":['.repeat(400)}1${'],"@type":"g:List"}'.repeat(400)}`
    const { args } = v3.readMessage(`{"requestId":"${id}","op":"eval","args":{"x":${turned}}}`)
    let value = args.rest!.get("x")
    for (let level = 0; level < 400; level++) value = (value as ReadonlyArray<unknown>)[0]
    expect(value).toBe(1)
  })

  it("is refused if a number is too long", () => {
    expect(failure(v3, `{"requestId":"${id}","op":"eval","args":{"x":${"9".repeat(20_000)}}}`).message).toMatch(
      /more than 10000/
    )
    expect(
      failure(v3, `{"requestId":"${id}","op":"eval","args":{"x":{"@type":"g:Int64","@value":9223372036854775808}}}`)
        .message
    ).toMatch(/Int64/)
  })
})

/** Creates a request message in GraphBinary with one argument. */
const binaryRequest = (argument: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`81${id.replaceAll("-", "")}000000046576616c0000000000000001`, "hex"),
    Buffer.from("03000000000178", "hex"),
    argument
  ])

describe("A request message in GraphBinary", () => {
  const v1 = serializers.graphBinaryV1

  it("may contain every value", () => {
    fc.assert(
      fc.property(values, (value) => {
        const message = v1.readMessage(binaryRequest(v1.writeValue(value)))
        expect(message.requestId).toBe(id)
        expect(shape(message.args.rest!.get("x"))).toEqual(shape(value))
      }),
      { numRuns: 100 }
    )
  })

  it("fails with a ProtocolError with its id if it is cut at any byte or followed by one", () => {
    fc.assert(
      fc.property(values, (value) => {
        const whole = binaryRequest(v1.writeValue(value))
        for (let end = 0; end < whole.length; end++) {
          expect(failure(v1, whole.subarray(0, end)).requestId).toBe(end < 17 ? null : id)
        }
        expect(failure(v1, Buffer.concat([whole, Buffer.of(0)])).message).toMatch(/after its end/)
      }),
      { numRuns: 60 }
    )
  })

  it("is read or fails with a ProtocolError if any byte changes", () => {
    fc.assert(
      fc.property(values, fc.nat(), fc.nat(255), (value, place, byte) => {
        const bytes = binaryRequest(v1.writeValue(value))
        bytes[place % bytes.length] = byte
        try {
          v1.readMessage(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError)
        }
      }),
      { numRuns: 2000 }
    )
  })

  it("is refused before memory is allocated for an impossible length", () => {
    for (const type of ["03", "09", "0a", "0b", "10", "15", "1e", "23", "25", "2a", "2b", "2c", "2d", "82"]) {
      for (const length of ["7fffffff", "ffffffff", "80000000", "00ffffff"]) {
        const error = failure(v1, binaryRequest(Buffer.from(`${type}00${length}${"00".repeat(24)}`, "hex")))
        expect(error.requestId).toBe(id)
      }
    }
  })

  it("is refused if it has an unknown type, another version, or nests too deep", () => {
    expect(failure(v1, binaryRequest(Buffer.from("5500", "hex"))).message).toMatch(
      /type code 0x55 is not known at byte/
    )
    expect(failure(v1, binaryRequest(Buffer.from("5501", "hex"))).message).toMatch(/type code 0x55/)
    expect(failure(v1, binaryRequest(Buffer.from("000000000378797a", "hex"))).message).toMatch(/custom type 'xyz'/)
    expect(failure(v1, binaryRequest(Buffer.from("20000300000000026f6f", "hex"))).message).toMatch(
      /T has no constant named 'oo'/
    )
    expect(failure(v1, binaryRequest(Buffer.from("090000000001".repeat(100_000), "hex"))).message).toMatch(
      /deeper than 500/
    )
    const not = `00${"0000000c"}${Buffer.from("janusgraph.P").toString("hex")}0000100200${"00000003"}${Buffer.from("not").toString("hex")}`
    expect(failure(v1, binaryRequest(Buffer.from(not.repeat(100_000), "hex"))).message).toMatch(/deeper than 500/)
    expect(failure(v1, Buffer.from(`82${id.replaceAll("-", "")}`, "hex")).message).toMatch(/version 1/)
    expect(failure(v1, Buffer.from("{}")).message).toMatch(/version 1/)
  })
})
