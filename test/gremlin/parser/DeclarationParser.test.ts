import { describe, expect, it } from "vitest"
import { FakeHost, resultOf } from "../FakeHost.ts"

describe("A function", () => {
  it("can be called before its definition", () => {
    expect(resultOf("out(1)\ndef out(x) { x + 1 }")).toBe(2)
    expect(resultOf("def s = 'a // b'; def t = /it's/\nout(1)\ndef out(x) { x + 1 }")).toBe(2)
    expect(resultOf("/* a function */\nout(1) // it's\ndef out(x) { x + 1 }")).toBe(2)
  })

  it("can be called before its definition, after a string in slashes with what begins a comment or a string", () => {
    expect(resultOf(`${String.raw`p = 'a//'.replaceAll(/\/*$/, '')`}\nout(p)\ndef out(x) { x }`)).toBe("a")
    expect(resultOf("p = 'a'.replaceAll(/'''/, '')\nout(p)\ndef out(x) { x }")).toBe("a")
  })

  it.each([
    ["a text in slashes", "def help = /so; def out(x) { x }/"],
    ["a comment", "/* as in\ndef out(x) { x }\n*/"],
    ["a comment of one line", "// as in; def out(x) { x }"],
    ["a text", "def help = '''\ndef out(x) { x }\n'''"],
    ["a text with holes", 'def help = """\ndef out(x) { x }\n"""'],
    ["a text of one line", "def help = 'so; def out(x) { x }'"]
  ])("is not defined by its text in %s", (_, before) => {
    const host = new FakeHost(() => [])
    host.run(`${before}\ng.V().where(out('knows')).toList()`)
    expect(host.calls.find((call) => call !== "begun")).toBe('list g.V().where(__.out("knows"))')
  })
})
