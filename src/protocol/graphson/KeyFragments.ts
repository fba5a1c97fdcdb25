import { fragments, quoted } from "../json/JsonText.ts"

/** The text around a vertex property of one key. Fewer and longer parts make a message faster to build. */
export interface KeyFragments {
  /** From the start of this key's properties to the id of the first one. */
  readonly first: string
  /** From the end of another key's properties to the id of this key's first one. */
  readonly next: string
  readonly label: string
  /** The label and the end of the object. */
  readonly end: string
}

/**
 * A cache of the fragments of keys.
 *
 * @param open the text before the id of a vertex property
 * @param close the text after its last member
 */
export const keyFragments = (open: string, close: string): ((key: string) => KeyFragments) =>
  fragments((key) => {
    const name = quoted(key)
    const next = `],${name}:[${open}`
    const label = `,"label":${name}`
    return { first: next.slice(2), next, label, end: label + close }
  })
