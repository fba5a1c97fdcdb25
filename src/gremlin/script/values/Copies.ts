import { Bytecode } from "../../../process/language/Bytecode.ts"
import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../../../structure/collections/Collections.ts"
import { ScriptTraversal } from "../../ScriptObjects.ts"
import { mapLike, setLike } from "./SortedCollections.ts"

/** True for the values whose members a script may change, and for entries. */
export const isCollection = (value: unknown): value is Iterable<unknown> | MapEntry =>
  Array.isArray(value) ||
  value instanceof GremlinMap ||
  value instanceof GremlinSet ||
  value instanceof BulkSet ||
  value instanceof MapEntry

/** A copy of a value with copies of all collections in it. */
export const copied = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(copied)
  if (value instanceof GremlinMap) {
    return mapLike(
      value,
      Array.from(value, ([key, item]) => [copied(key), copied(item)] as const)
    )
  }
  if (value instanceof MapEntry) return new MapEntry(copied(value.key), copied(value.value))
  return value instanceof GremlinSet ? setLike(value, Array.from(value, copied)) : value
}

/** True for a traversal of a source, such as `g.V()`, or an anonymous one, such as `__.V()`. */
export const isTraversal = (value: unknown): value is Bytecode | ScriptTraversal =>
  value instanceof ScriptTraversal || value instanceof Bytecode
