import { describe, expect, it } from "vitest"
import { readHttpBody } from "../../../src/protocol/HttpRequest.ts"
import { ResumableRead } from "../../../src/protocol/ResumableRead.ts"
import { serializers } from "../../../src/protocol/Serializers.ts"
import { TimeSlice } from "../../../src/scheduling/TimeSlice.ts"

const id = "41d2e28a-20a4-4ab0-b379-d810dede3786"
const other = "11111111-1111-1111-1111-111111111111"

const binding = `"args":{"bindings":{"requestId":"${other}","requestID":"x"}}`
const wrong = '"more":{"@type":"g:Nope","@value":1}'
const long = `"bindings":[${"1,".repeat(40_000)}1]`

/** The id in the error of a message. */
const idOf = (read: () => unknown): unknown => {
  try {
    read()
  } catch (error) {
    return (error as { readonly requestId: unknown }).requestId
  }
  throw new Error("the message was read")
}

describe("The error of a message that cannot be read has the id of the request, not that of a binding", () => {
  const cases: ReadonlyArray<readonly [string, string, string | null]> = [
    ["the id was read", `{"requestId":"${id}",${binding},"op":5}`, id],
    ["the id was read after the binding", `{${binding},"requestId":"${id}","op":5}`, id],
    ["the id is in another form", `{${binding},"requestId":{"@value":"${id}","@type":"g:UUID"},"op":5}`, id],
    ["the id follows", `{"args":{"x":{"@type":"g:Nope","@value":1}},${binding},"requestId":"${id}","op":"eval"}`, id],
    ["the id follows far behind", `{"args":{"x":{"@type":"g:Nope"},"y":-},${long},"requestId":"${id}",${binding}}`, id],
    ["the text ends in the binding", `{"op":"eval","args":{"bindings":{"requestId":"${other}"`, null],
    ["there is none", `{${binding},"op":"eval"}`, null],
    ["there is none near the end", `{"args":{"x":-},${long},${binding}}`, null],
    ["it is in a script", `{"args":{"gremlin":"{\\"requestId\\":\\"${other}\\"}"},"op":"eval"}`, null],
    ["it is no id", `{${binding},"requestId":"x","op":"eval"}`, null]
  ]

  it.each(cases)("when %s", (_, text, expected) => {
    expect(idOf(() => serializers.graphSONV3.readMessage(text))).toBe(expected)
  })

  it.each([
    [`{"bindings":{"requestId":"${other}"},"requestId":"${id}",${wrong}}`, id],
    [`{"bindings":{"requestId":"${other}"},"queryId":"${id}",${wrong}}`, id],
    [`{"bindings":{"requestId":"${other}"},"queryId":"${id}","aliases.g":"x"}`, id],
    [`{"bindings":{"requestId":"${other}"},${wrong}}`, null],
    [`{"bindings":{"requestId":"${other}"},${wrong},"requestId":"${id}"}`, id]
  ])("in the body of an HTTP request: %s", (text, expected) => {
    expect(idOf(() => readHttpBody(text))).toBe(expected)
  })

  // A search that begins again at each quote takes minutes for this text.
  it("if its beginning ends in a long string of quotes", () => {
    const quotes = '\\"'.repeat(2_000_000)
    expect(idOf(() => readHttpBody(`{"gremlin":"${quotes}","requestId":"${id}",${wrong}}`))).toBe(id)
    expect(idOf(() => readHttpBody(`{"a":{${`"requestId":"${id}",`.repeat(8)}"gremlin":"${quotes}`))).toBe(null)
  })

  it("in time slices, too", () => {
    const text = `{${binding},${long},"requestId":"${id}",${long},${wrong},"args":5}`
    const reading = new ResumableRead()
    const read = (resumed: ResumableRead) => serializers.graphSONV3.readMessage(text, undefined, resumed)
    expect(
      idOf(() => {
        while (reading.next(new TimeSlice(0), read) === undefined);
      })
    ).toBe(id)
  })
})

describe("Arguments whose value precedes their type", () => {
  const read = (args: string) => serializers.graphSONV3.readMessage(`{"requestId":"${id}","op":"eval","args":${args}}`)

  it("are read as others", () => {
    const { args } = read('{"@value":["gremlin","g.V()","batchSize",5],"@type":"g:Map"}')
    expect([args.gremlin, args.batchSize]).toEqual(["g.V()", 5])
  })

  it("are refused if they are no map", () => {
    expect(() => read('{"@value":["gremlin","g.V()"],"@type":"g:List"}')).toThrow(
      "args of a request message are no map"
    )
    expect(() => read('{"@value":["gremlin","g.V()"],"@type":"g:Map","more":1}')).toThrow("Expected '}'")
  })

  it("are plain arguments without a type", () => {
    const { args } = read('{"@value":[1],"gremlin":"g.V()"}')
    expect([args.gremlin, args.rest?.get("@value")]).toEqual(["g.V()", [1]])
  })
})
