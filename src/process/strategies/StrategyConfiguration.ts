import { GremlinSet } from "../../structure/collections/Collections.ts"
import { nameOf } from "../language/Arguments.ts"
import { Bytecode } from "../language/Bytecode.ts"
import { TraversalInvalid } from "../language/Errors.ts"

// Functions that read the configuration of a strategy. They throw TraversalInvalid with the strategy and the key.

/** A required string. */
export const stringOf = (strategy: string, configuration: ReadonlyMap<string, unknown>, key: string): string => {
  const value = configuration.get(key)
  if (typeof value === "string") return value
  throw new TraversalInvalid(`${strategy} needs a string as ${key}`)
}

/** A string or a collection of strings; an empty list if the key is absent. */
export const stringsOf = (
  strategy: string,
  configuration: ReadonlyMap<string, unknown>,
  key: string
): readonly string[] => {
  const value = configuration.get(key)
  const items = value instanceof GremlinSet || Array.isArray(value) ? [...value] : value === undefined ? [] : [value]
  if (items.every((item) => typeof item === "string")) return items
  throw new TraversalInvalid(`${strategy} needs strings as ${key}`)
}

/** A traversal; null if the key is absent. */
export const traversalOf = (
  strategy: string,
  configuration: ReadonlyMap<string, unknown>,
  key: string
): Bytecode | null => {
  const value = configuration.get(key)
  if (value === undefined || value === null) return null
  if (value instanceof Bytecode) return value
  throw new TraversalInvalid(`${strategy} needs a traversal as ${key}`)
}

const TRUE_WORDS = ["true", "yes", "on", "y", "t", "1"]
const FALSE_WORDS = ["false", "no", "off", "n", "f", "0"]

/** A boolean, or one of the words that TinkerPop's configurations take for it; `fallback` if the key is absent. */
export const booleanOf = (
  strategy: string,
  configuration: ReadonlyMap<string, unknown>,
  key: string,
  fallback: boolean
): boolean => {
  const value = configuration.get(key)
  if (value === undefined || value === null) return fallback
  const word = typeof value === "string" ? value.toLowerCase() : value
  if (word === true || TRUE_WORDS.includes(word as string)) return true
  if (word === false || FALSE_WORDS.includes(word as string)) return false
  throw new TraversalInvalid(`${strategy} needs true or false as ${key}, but was given ${nameOf(value)}`)
}
