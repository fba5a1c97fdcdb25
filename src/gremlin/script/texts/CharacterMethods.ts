import { Char } from "../../../structure/scalars/Char.ts"
import type { Methods } from "../methods/MethodTable.ts"
import { characterOf } from "../values/Characters.ts"
import { OperandError } from "../values/OperandErrors.ts"

const is = (pattern: RegExp) => (value: Char) => pattern.test(value.text)

const shifted = (value: Char, by: number): Char => characterOf((value.text.charCodeAt(0) + by) & 0xffff)

const inCase = (value: Char, text: string): Char => (text.length === 1 ? new Char(text) : value)

/** Spaces at which no line breaks: Java does not count them as white space. */
const NO_BREAK = "\u00a0\u2007\u202f\ufeff"

/** Tests of the class Character, which are also methods of characters. */
const tests = {
  isDigit: is(/^\p{Nd}$/u),
  isLetter: is(/^\p{L}$/u),
  isLetterOrDigit: is(/^[\p{L}\p{Nd}]$/u),
  isUpperCase: is(/^\p{Lu}$/u),
  isLowerCase: is(/^\p{Ll}$/u),
  isWhitespace: ({ text }: Char) => text.trim() === "" && !NO_BREAK.includes(text)
}

/** Methods of characters. */
export const characterMethods: Methods = {
  ...Object.fromEntries(Object.entries(tests).map(([name, test]) => [name, [0, 0, test] as const])),
  toUpperCase: [0, 0, (value: Char) => inCase(value, value.text.toUpperCase())],
  toLowerCase: [0, 0, (value: Char) => inCase(value, value.text.toLowerCase())],
  next: [0, 0, (value: Char) => shifted(value, 1)],
  previous: [0, 0, (value: Char) => shifted(value, -1)],
  charValue: [0, 0, (value: Char) => value]
}

/** Calls a static method of the class Character with a character; undefined for another method. Fails with OperandError. */
export const callCharacter = (name: string, args: readonly unknown[]): { readonly value: unknown } | undefined => {
  const [first] = args
  if (args.length !== 1) return undefined
  if (name === "valueOf") return { value: characterOf(first) }
  const isTest = Object.hasOwn(tests, name)
  if (!isTest && !["toUpperCase", "toLowerCase", "toString", "getNumericValue"].includes(name)) return undefined
  if (!(first instanceof Char)) {
    throw new OperandError(`Character.${name}() takes a Character: write 'x as char'`, "MissingMethodException")
  }
  if (isTest) return { value: tests[name as keyof typeof tests](first) }
  if (name === "toString") return { value: first.text }
  if (name === "getNumericValue")
    return /^[0-9a-z]$/i.test(first.text) ? { value: Number.parseInt(first.text, 36) } : { value: -1 }
  return { value: inCase(first, name === "toUpperCase" ? first.text.toUpperCase() : first.text.toLowerCase()) }
}
