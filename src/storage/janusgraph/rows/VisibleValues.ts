import { JavaClass, JavaEnum, JsonText } from "../format/JavaValues.ts"
import { EXPIRES } from "../schema/Schema.ts"

/** A stored value as clients see it: values of types that the Gremlin language does not have become text. */
export const visible = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (value instanceof JsonText) return value.text
  if (value instanceof JavaEnum) return value.name
  return value instanceof JavaClass ? value.attribute : value
}

/** Meta-properties as clients see them, without the expiry time of a property with a TTL; null when there are none. */
export const visibleMeta = (meta: ReadonlyMap<string, unknown> | null): ReadonlyMap<string, unknown> | null => {
  if (meta === null) return null
  if (meta.has(EXPIRES)) {
    const rest = new Map(meta)
    rest.delete(EXPIRES)
    return rest.size === 0 ? null : visibleMeta(rest)
  }
  let same = true
  for (const value of meta.values()) if (visible(value) !== value) same = false
  return same ? meta : new Map([...meta].map(([key, value]) => [key, visible(value)]))
}
