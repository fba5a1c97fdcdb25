import { UnsupportedValue } from "../../../structure/errors/StoreErrors.ts"

/** Names that JanusGraph 1.1 reserves, in lower case. It accepts `id`. */
const reserved: ReadonlySet<string> = new Set(["key", "vertex", "edge", "element", "property", "label"])

/** Characters that JanusGraph reserves for its own names. */
const reservedCharacters: ReadonlyArray<string> = ["{", "}", '"', "\u001e"]

/**
 * Throws UnsupportedValue for a name that JanusGraph refuses for a property key, edge label or vertex label.
 * JanusGraph's management and console could not refer to such a type.
 */
export const checkTypeName = (name: string): void => {
  if (reserved.has(name.toLowerCase())) {
    throw new UnsupportedValue(
      `Name cannot be in protected namespace: ${name} means something else in JanusGraph; take another name.`
    )
  }
  const character = reservedCharacters.find((each) => name.includes(each))
  if (character === undefined) return
  const shown = character === "\u001e" ? "U+001E" : character
  throw new UnsupportedValue(`Name contains reserved character ${shown}: ${name}; take another name.`)
}
