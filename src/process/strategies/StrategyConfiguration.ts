import { GremlinSet } from "../../structure/Collections.ts"
import { Bytecode } from "../language/Bytecode.ts"
import { TraversalInvalid } from "../language/Errors.ts"

/** Readers of a strategy's configuration. Each throws TraversalInvalid naming the strategy and the key. */

export const stringOf = (strategy: string, configuration: ReadonlyMap<string, unknown>, key: string): string => {
  const value = configuration.get(key)
  if (typeof value === "string") return value
  throw new TraversalInvalid(`${strategy} needs a string as ${key}`)
}

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

export const booleanOf = (configuration: ReadonlyMap<string, unknown>, key: string, fallback: boolean): boolean => {
  const value = configuration.get(key)
  return typeof value === "boolean" ? value : fallback
}
