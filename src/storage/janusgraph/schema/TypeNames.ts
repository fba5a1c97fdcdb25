import { UnsupportedValue } from "../../../structure/StoreErrors.ts"

/** Names that mean something else in JanusGraph, in any case; measured with JanusGraph 1.1, which takes `id`. */
const reserved: ReadonlySet<string> = new Set(["key", "vertex", "edge", "element", "property", "label"])

/** Characters that JanusGraph's own names are made of. */
const reservedCharacters: ReadonlyArray<string> = ["{", "}", '"', "\u001e"]

/**
 * Throws UnsupportedValue for a name that JanusGraph gives to no property key, edge label or vertex label, whether it
 * is defined or made as it is used: neither its management nor its console could name the type.
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
