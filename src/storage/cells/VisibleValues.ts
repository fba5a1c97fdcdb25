import { JavaClass, JavaEnum, JsonText } from "./codec/JavaValues.ts"

/** A stored value as clients see it: types that the Gremlin language does not have become texts. */
export const visible = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (value instanceof JsonText) return value.text
  if (value instanceof JavaEnum) return value.name
  return value instanceof JavaClass ? value.attribute : value
}
