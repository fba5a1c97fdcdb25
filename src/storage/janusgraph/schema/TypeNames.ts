import { UnsupportedValue } from "../../../structure/errors/StoreErrors.ts"
import { checkKey } from "../../shared/PropertyWrites.ts"
import { EXPIRES } from "./Schema.ts"

/** Names that JanusGraph 1.1 reserves, in lower case. It accepts `id`. */
const reserved: ReadonlySet<string> = new Set(["key", "vertex", "edge", "element", "property", "label"])

/** Characters that JanusGraph reserves for its own names. */
const reservedCharacters: ReadonlyArray<string> = ["{", "}", '"', "\u001e"]

/** Throws UnsupportedValue for a property key that clients may not write: {@link checkKey}, and the hidden key of expiry times. */
export const checkClientKey = (name: unknown): void => {
  checkKey(name)
  if (name === EXPIRES) throw ofExpiry()
}

const ofExpiry = (): UnsupportedValue =>
  new UnsupportedValue(
    `The graph keeps the times to live of its elements under the name ${EXPIRES}; take another name.`
  )

/**
 * Throws UnsupportedValue for a name that JanusGraph refuses for a property key, edge label or vertex label.
 * JanusGraph's management and console could not refer to such a type. {@link EXPIRES} is refused, too.
 */
export const checkTypeName = (name: string): void => {
  if (name === EXPIRES) throw ofExpiry()
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
