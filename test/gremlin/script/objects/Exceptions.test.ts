import { expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

const shown = (script: string): string => text(resultOf(script))

/** The message of the exception that a script catches. */
const problemOf = (call: string): string => shown(`try { ${call}; 'none' } catch (RuntimeException e) { e.message }`)

it("initCause() sets the cause of an exception once", () => {
  expect(shown("new Exception('a').initCause(new Exception('b')).cause.message")).toBe("b")
  const other = "Can't overwrite cause with java.lang.Exception: d"
  expect(problemOf("new Exception('a', new Exception('c')).initCause(new Exception('d'))")).toBe(other)
  expect(problemOf("new Exception('a', null).initCause(new Exception('d'))")).toBe(other)
  expect(problemOf("e = new Exception('a'); e.initCause(null); e.initCause(new Exception('d'))")).toBe(other)
  expect(problemOf("e = new Exception('a'); e.initCause(e)")).toBe("Self-causation not permitted")
  expect(() => resultOf("a = new Exception('a'); b = new Exception('b', a); a.initCause(b)")).toThrow(
    /cannot be a cause of its own cause/
  )
})

it("An exception has neither a stack trace nor suppressed exceptions", () => {
  expect(shown("[new Exception('a').getStackTrace(), new Exception('a').getSuppressed()]")).toBe("[[], []]")
})
