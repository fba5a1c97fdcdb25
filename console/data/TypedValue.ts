import { texts } from "../texts.ts"
import type { Value } from "../wire/Values.ts"

/** A text as a value of a type; undefined if it is none. */
const readAs = (text: string, type: string): Value | undefined => {
  const trimmed = text.trim()
  if (type === "int") {
    if (!/^[-+]?\d+$/.test(trimmed)) return undefined
    const exact = BigInt(trimmed.replace(/^\+/, ""))
    return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact
  }
  if (type === "double") return trimmed === "" || Number.isNaN(Number(trimmed)) ? undefined : Number(trimmed)
  if (type === "boolean") return /^(?:true|false)$/i.test(trimmed) ? /^t/i.test(trimmed) : undefined
  return text
}

/** A value of CSV or GraphML from its text. Fails with the name of its column when the text is no value of the type. */
export const typedValue = (text: string, type: string, name: string): Value => {
  const value = readAs(text, type)
  if (value !== undefined) return value
  throw new Error(texts.data.wrongValue(JSON.stringify(text.slice(0, 60)), name, type))
}
