import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

const IMPORTS = "import java.util.concurrent.atomic.*\nimport java.util.concurrent.ConcurrentHashMap\n"

describe("AtomicInteger and AtomicLong", () => {
  it.each([
    [
      "def c = new AtomicInteger(5); [c.get(), c.incrementAndGet(), c.getAndIncrement(), c.decrementAndGet(), c.getAndDecrement()]",
      "[5, 6, 6, 6, 6]"
    ],
    [
      "def c = new AtomicInteger(5); [c.addAndGet(3), c.getAndAdd(-2), c.getAndSet(1), c.intValue(), c.toString()]",
      "[8, 8, 6, 1, 1]"
    ],
    ["def c = new AtomicInteger(); (1..5).each { c.addAndGet(it) }; c.get()", "15"],
    ["def c = new AtomicLong(1); c.addAndGet(2); c.set(7L); c.get().class.simpleName + c", "Long7"],
    ["new AtomicInteger(Integer.MAX_VALUE).incrementAndGet()", "-2147483648"],
    ["new AtomicLong(Long.MAX_VALUE).incrementAndGet()", "-9223372036854775808"],
    ["[new AtomicInteger(0) ? 1 : 2, new AtomicInteger(3) ? 1 : 2]", "[2, 1]"],
    [
      "def c = new AtomicInteger(3); [c == 3, c == new AtomicInteger(3), c == c, c instanceof Number, c instanceof AtomicInteger]",
      "[false, false, true, true, true]"
    ],
    ["def c = new AtomicInteger(3); def l = [c]; c.incrementAndGet(); l[0].get()", "4"]
  ])("count in place: %s", (script, value) => {
    expect(text(resultOf(IMPORTS + script))).toBe(value)
  })

  it("refuse numbers of other classes, and operators", () => {
    expect(() => resultOf(`${IMPORTS}new AtomicInteger(1L)`)).toThrow("AtomicInteger takes an Integer, not Long")
    expect(() => resultOf(`${IMPORTS}new AtomicInteger(1).addAndGet(2L)`)).toThrow(
      "AtomicInteger takes an Integer, not Long"
    )
    expect(() => resultOf(`${IMPORTS}new AtomicLong('1')`)).toThrow("AtomicLong takes an Integer or a Long, not String")
    expect(() => resultOf(`${IMPORTS}new AtomicInteger(1) + 1`)).toThrow("+ does not take AtomicInteger and Integer")
  })
})

describe("An object that is no data", () => {
  it.each(["new AtomicLong(3)", "new groovy.json.JsonSlurper()"])("is no argument of a traversal: %s", (value) => {
    expect(() => resultOf(`${IMPORTS}def c = ${value}; g.addV('x').property('n', c).iterate()`)).toThrow(
      "cannot be an argument of a traversal"
    )
    expect(() => resultOf(`${IMPORTS}def c = ${value}; g.inject([c]).toList()`)).toThrow(
      "cannot be an argument of a traversal"
    )
  })
})

describe("A ConcurrentHashMap", () => {
  it("is a map", () => {
    const script = "def m = new ConcurrentHashMap([a: 1]); m.putIfAbsent('a', 2); m.computeIfAbsent('b') { 5 }; m"
    expect(text(resultOf(IMPORTS + script))).toBe("{a=1, b=5}")
  })
})
