import { describe, expect, it } from "vitest"
import { BigInteger } from "../../../src/structure/numbers/Numbers.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { resultOf } from "../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

/** Checks scripts against the texts of their values. */
const check = (cases: ReadonlyArray<readonly [script: string, value: string]>): void => {
  for (const [script, value] of cases) expect.soft(text(resultOf(script)), script).toBe(value)
}

describe("A power", () => {
  it("has the type that Groovy gives it", () => {
    for (const [script, value] of [
      ["2**31", new BigInteger(2147483648n)],
      ["2**10", 1024],
      ["2L**3", 8n],
      ["2L**63", new BigInteger(1n << 63n)],
      ["3g**2", new BigInteger(9n)],
      ["4**0.5d", 2],
      ["2d**3", 8],
      ["2**-1", 0.5],
      ["10d**10", 10_000_000_000n]
    ] as const)
      expect.soft(resultOf(script), script).toStrictEqual(value)
    check([["1.5g**2", "2.25"]])
  })
})

describe("The variable of a loop over members", () => {
  it("is one variable for all closures that the rounds make", () => {
    check([
      ["def fs = []; for (i in 1..3) { fs << { i } }; fs*.call()", "[3, 3, 3]"],
      ["def fs = []; for (int i in [1, 2, 3]) { i++; fs << { i } }; fs*.call()", "[4, 4, 4]"],
      ["def fs = []; for (i in [1, 2, 3]) { def j = i; fs << { j } }; fs*.call()", "[1, 2, 3]"],
      ["def fs = []; for (e in [a: 1, b: 2]) { fs << { e.key } }; fs*.call()", "[b, b]"],
      ["def fs = []; [1, 2].each { k -> for (i in 1..2) { fs << { i * k } } }; fs*.call()", "[2, 2, 4, 4]"],
      ["def fs = []; for (int i = 0; i < 3; i++) { fs << { i } }; fs*.call()", "[3, 3, 3]"]
    ])
  })
})

describe("A text that is converted to a number", () => {
  it("must be a number of this type", () => {
    check([
      ["try { '1.5'.toInteger() } catch (e) { e.message }", 'For input string: "1.5"'],
      ["try { '1.5' as int } catch (NumberFormatException e) { 'no' }", "no"],
      ["try { 'abc'.toLong() } catch (e) { e.message }", 'For input string: "abc"'],
      ["try { Integer.parseInt('99999999999') } catch (e) { e.message }", 'For input string: "99999999999"'],
      ["try { Integer.parseInt(' 5') } catch (NumberFormatException e) { e.message }", 'For input string: " 5"'],
      ["try { Long.valueOf('5\\n') } catch (NumberFormatException e) { 'no' }", "no"],
      ["Double.parseDouble(' 5 ')", "5.0"],
      ["try { ''.toDouble() } catch (e) { e.message }", "empty String"],
      ["' 5 '.toInteger() + '+5'.toLong() + '-3'.toBigInteger()", "7"],
      ["'1.5'.toDouble() + '1e2'.toDouble() + '2d'.toDouble()", "103.5"],
      ["'0.1'.toFloat()", "0.1"]
    ])
  })
})

describe("Null", () => {
  it("stays null as a value of a class", () => {
    check([
      ["[null as String, null as List, null as Map, null as Set, null as Integer]", "[null, null, null, null, null]"]
    ])
  })
})

describe("The message of an exception that a script catches", () => {
  it("is that of Groovy", () => {
    check([
      ["try { def x = null; x.foo } catch (e) { e.message }", "Cannot get property 'foo' on null object"],
      ["try { def x = null; x.foo() } catch (e) { e.message }", "Cannot invoke method foo() on null object"],
      ["try { 1 % 0 } catch (e) { e.message }", "/ by zero"],
      ["try { 1.intdiv(0) } catch (e) { e.message }", "/ by zero"],
      ["try { [1, 2].get(5) } catch (e) { e.message }", "Index 5 out of bounds for length 2"]
    ])
  })
})
