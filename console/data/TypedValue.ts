import { texts } from "../texts.ts"
import type { Value } from "../wire/Values.ts"
import type { NewProperty } from "./ParsedFile.ts"

/** Types of the values of a file. */
export type FileType = "string" | "int" | "long" | "float" | "double" | "boolean"

/** The largest whole numbers of the types. */
const LARGEST = { int: 0x7fff_ffffn, long: 0x7fff_ffff_ffff_ffffn } as const

/** The types of GraphSON. All values of a column have one, also a whole number among fractions: a graph may refuse others. */
const GRAPHSON = { int: "g:Int32", long: "g:Int64", float: "g:Float", double: "g:Double" } as const

/** A text as a whole number of a type; undefined if it is none. */
const wholeNumber = (text: string, type: keyof typeof LARGEST): Value | undefined => {
  if (!/^[-+]?\d+$/.test(text)) return undefined
  const exact = BigInt(text.replace(/^\+/, ""))
  if (exact > LARGEST[type] || exact < -LARGEST[type] - 1n) return undefined
  return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact
}

/** A text as a value of a type; undefined if it is none. */
const readAs = (text: string, type: FileType): Value | undefined => {
  const trimmed = text.trim()
  if (type === "int" || type === "long") return wholeNumber(trimmed, type)
  if (type === "double" || type === "float")
    return trimmed === "" || Number.isNaN(Number(trimmed)) ? undefined : Number(trimmed)
  if (type === "boolean") return /^(?:true|false)$/i.test(trimmed) ? /^t/i.test(trimmed) : undefined
  return text
}

/** A property with a value of a type. */
export const propertyOf = (key: string, value: Value, type: FileType): NewProperty => ({
  key,
  value,
  sent: type === "string" || type === "boolean" ? value : { "@type": GRAPHSON[type], "@value": value }
})

/** A property of CSV or GraphML from its text. Fails with its key when the text is no value of the type. */
export const typedProperty = (key: string, text: string, type: FileType): NewProperty => {
  const value = readAs(text, type)
  if (value !== undefined) return propertyOf(key, value, type)
  throw new Error(texts.data.wrongValue(JSON.stringify(text.slice(0, 60)), key, type))
}

/** Whether a text is a whole number that the type holds. */
export const isWhole = (text: string, type: keyof typeof LARGEST): boolean => wholeNumber(text, type) !== undefined
