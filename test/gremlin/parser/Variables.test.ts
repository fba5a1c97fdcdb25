import { describe, expect, it } from "vitest"
import { post } from "../../layers/support/HttpClient.ts"
import { SocketClient } from "../../layers/support/SocketClient.ts"
import { modern, startServer } from "../../layers/support/TestServers.ts"

const BY_NAME = "g.V().has('name', STRING).count()"
const BY_TYPE = "g.V().values('name').is(typeOf(STRING)).count()"

describe("A bare name that is also a constant of GType", () => {
  it.each(["STRING", "INT", "LIST", "UUID", "string", "bigDecimal"])(
    "is the binding of this name where a step takes any value: %s",
    async (name) => {
      const { authority } = await startServer(modern)
      const asked = async (script: string) =>
        (await post(authority, script, { bindings: { [name]: "marko" } })).json.result.data
      expect(await asked(`g.V().has('name', ${name}).count()`)).toEqual([1])
      expect(await asked(`g.V().has('name', within(${name}, 'vadas')).count()`)).toEqual([2])
      expect(await asked(`g.inject(${name})`)).toEqual(["marko"])
    }
  )

  it("is a key of a map: the variable of this name, or the constant", async () => {
    const { authority } = await startServer(modern)
    const asked = async (bindings?: object) =>
      (await post(authority, "m = [(INT): 1, (LIST): 2]; [m[INT], m[LIST], m['marko']]", { bindings })).json.result.data
    expect(await asked()).toEqual([1, 2, null])
    expect(await asked({ INT: "marko" })).toEqual([1, 2, 1])
  })

  it("is the type in gremlin-lang, and JanusGraph's cardinality in Groovy", async () => {
    const { authority } = await startServer(modern)
    const asked = async (language: string) =>
      (await post(authority, "g.inject(LIST, SET)", { language })).json.result.data
    expect(await asked("gremlin-lang")).toEqual(["LIST", "SET"])
    expect(await asked("gremlin-groovy")).toEqual(["list", "set"])
  })

  it("is a part of a string", async () => {
    const { authority } = await startServer(modern)
    const asked = async (bindings?: object) =>
      (await post(authority, '"$INT $LIST $list $OUT"', { bindings })).json.result.data
    expect(await asked()).toEqual(["INT LIST list OUT"])
    expect(await asked({ LIST: "marko" })).toEqual(["INT marko list OUT"])
  })

  it("is the constant where a step asks for a type, also with a binding of this name", async () => {
    const { authority } = await startServer(modern)
    const { json } = await post(authority, BY_TYPE, { bindings: { STRING: "marko" } })
    expect(json.result.data).toEqual([6])
    const number = await post(authority, "g.inject('7').asNumber(INT)", { bindings: { INT: "marko" } })
    expect(number.json.result.data).toEqual([7])
  })

  it("has its meaning in each request, whatever it meant before in the same text", async () => {
    const { authority } = await startServer(modern)
    const counted = async (bindings?: object) => (await post(authority, BY_NAME, { bindings })).json.result.data
    for (let round = 0; round < 2; round++) {
      expect(await counted()).toEqual([0])
      expect(await counted({ STRING: "marko" })).toEqual([1])
      expect(await counted({ STRING: "nobody" })).toEqual([0])
    }
  })

  it("is the variable of a session from the request that assigns it", async () => {
    const { authority } = await startServer(modern)
    const client = await SocketClient.connect(authority)
    const counted = async () => (await client.eval(BY_NAME, { session: "names" })).result.data
    expect(await counted()).toEqual([0])
    await client.eval("STRING = 'marko'", { session: "names" })
    expect(await counted()).toEqual([1])
    expect((await client.eval(BY_TYPE, { session: "names" })).result.data).toEqual([6])
  })
})

it("The bare names of directions are constants, also with bindings of these names", async () => {
  const { authority } = await startServer(modern)
  const { json } = await post(authority, "g.V(1).to(OUT, 'knows').count()", { bindings: { OUT: "marko" } })
  expect(json.result.data).toEqual([2])
  expect((await post(authority, "g.inject(IN)", { bindings: { IN: "marko" } })).json.result.data).toEqual(["IN"])
})
