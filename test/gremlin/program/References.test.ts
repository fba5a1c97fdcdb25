import { describe, expect, it } from "vitest"
import { text } from "../../../src/structure/texts/Text.ts"
import { FakeHost, resultOf } from "../FakeHost.ts"

/** Scripts with the texts of their values. */
const table = (cases: ReadonlyArray<readonly [script: string, value: string]>): void => {
  for (const [script, value] of cases) expect.soft(text(resultOf(script)), script).toBe(value)
}

describe("A reference to a method", () => {
  it("of a class calls the static method, or the method of its first argument", () => {
    table([
      ["['a', 'b'].collect(String::toUpperCase)", "[A, B]"],
      ["['a', 'b'].collect(String.&toUpperCase)", "[A, B]"],
      ["['1', '2'].collect(Integer::parseInt)", "[1, 2]"],
      ["[3, 1, 2].inject(0, Math.&max)", "3"],
      ["[3, 1, 2].sort(Integer::compare)", "[1, 2, 3]"],
      ["['b', 'a'].sort(String::compareTo)", "[a, b]"],
      ["[5, 6].collect(Integer.&toString)", "[5, 6]"]
    ])
  })
  it("of an object calls its method with all arguments", () => {
    table([
      ["def l = []; [1, 2].each(l.&add); l", "[1, 2]"],
      ["def s = 'abc'; def u = s.&substring; [u(1), u(0, 2)]", "[bc, ab]"],
      ["[1, 2, 3].findAll([1, 3]::contains)", "[1, 3]"],
      ["def c = { it * 2 }; [1, 2].collect(c.&call)", "[2, 4]"],
      ["def x = 5; x.&plus.call(3)", "8"],
      ["def x = 'a'; def r = x.&concat; x = 'b'; r('c')", "ac"]
    ])
  })
  it("makes an object by `new`", () => {
    table([["['1.5'].collect(BigDecimal::new)", "[1.5]"]])
    expect(() => resultOf("['f'].collect(Optional::new)")).toThrow(
      "scripts do not have the constructor new Optional(...)"
    )
  })
  it("of the script calls a function, with as many arguments as it takes", () => {
    table([
      ["def f(x) { x * 2 }; [1, 2].collect(this.&f)", "[2, 4]"],
      ["def f(k, v) { k + v }; [a: 1].collect(this::f)", "[a1]"],
      ["def f(x) { x * 2 }; this.f(4)", "8"]
    ])
  })
  it("prints", () => {
    const host = new FakeHost()
    host.run("[1, 2].each(System.out.&println); [3].each(System.out::println)")
    expect(host.printed).toBe("1\n2\n3\n")
  })
  it("is no operator of a condition", () => {
    table([
      ["def a = 1, b = 2; true ? a :b", "1"],
      ["[a: 1, b:2].b", "2"]
    ])
  })
})

describe("A reference is refused", () => {
  const refusals: ReadonlyArray<readonly [script: string, message: string]> = [
    ["'a'.&", "the name of a method"],
    ["Foo.&bar", "scripts do not have the class Foo"],
    ["Runtime::getRuntime", "there is no variable Runtime"],
    ["[1].collect(String::length)", "scripts do not have the method String.length()"],
    ["[1].collect(System::exit)", "scripts do not have the method System.exit()"],
    ["['id'].each('x'.&execute)", "String has no method execute()"],
    ["[1].collect(this.&nothing)", "there is no step, predicate or function nothing()"],
    ["def f(x) { [x].each(this.&f) }; f(1)", "calls itself more than 500 levels deep"],
    ["def f = 'a'.&getClass; f().forName('java.lang.Runtime')", "scripts do not have the method"]
  ]
  for (const [script, message] of refusals) {
    it(`for ${script}`, () => {
      expect(() => resultOf(script)).toThrow(message)
    })
  }
})
