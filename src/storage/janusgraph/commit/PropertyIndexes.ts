import { UnsupportedValue } from "../../../structure/errors/StoreErrors.ts"
import type { Schema } from "../schema/Schema.ts"

/**
 * Throws UnsupportedValue for a vertex property with an entry in a composite index on vertex properties, whose fields are meta-properties.
 * JanusGraph makes and searches such indexes; the entry would be missing or stale there.
 *
 * @param key the id of the key of the property
 * @param meta the names of its meta-properties
 */
export const assertNotIndexed = (schema: Schema, key: number, meta: ReadonlyMap<string, unknown>): void => {
  for (const { fields, name, onlyLabel } of schema.propertyIndexes) {
    if (onlyLabel !== undefined && onlyLabel !== key) continue
    if (!fields.every((field) => meta.has(field.name))) continue
    throw new UnsupportedValue(
      `The meta-properties ${fields.map((field) => field.name).join(", ")} are in the composite index ${name} on vertex properties, ` +
        "which only JanusGraph updates. Write the property through JanusGraph, or disable the index."
    )
  }
}
