import { reasonOf } from "../../../structure/errors/Reason.ts"
import { UnsupportedValue } from "../../../structure/errors/StoreErrors.ts"

/** A definition of the document, or the document itself: members by name. */
export type Entry = Readonly<Record<string, unknown>>

/** The required and the optional members of the entries of each list. */
const members: Readonly<
  Record<string, { readonly needed: ReadonlyArray<string>; readonly other: ReadonlyArray<string> }>
> = {
  vertexLabels: { needed: ["label"], other: ["staticVertex", "partition", "ttl"] },
  edgeLabels: { needed: ["label"], other: ["multiplicity", "unidirected", "ttl", "consistency"] },
  propertyKeys: { needed: ["key", "className"], other: ["cardinality", "ttl", "consistency"] },
  compositeIndexes: {
    needed: ["name", "typeClass", "keys"],
    other: ["indexOnly", "unique", "consistency", "inlinePropertyKeys"]
  },
  vertexCentricEdgeIndexes: {
    needed: ["name", "propertyKeys", "indexedEdgeLabel"],
    other: ["order", "direction"]
  },
  vertexCentricPropertyIndexes: { needed: ["name", "propertyKeys", "indexedPropertyKey"], other: ["order"] },
  mixedIndexes: { needed: ["name", "typeClass", "indexBackend", "keys"], other: ["indexOnly"] }
}

/** A definition and its place in the document, such as `propertyKeys[3]`. */
export interface Located {
  readonly list: string
  readonly place: string
  readonly entry: Entry
}

/** The document. Throws UnsupportedValue when it is not JSON, and for an unknown list. */
export const parse = (json: string): Entry => {
  let document: unknown
  try {
    document = JSON.parse(json)
  } catch (error) {
    throw new UnsupportedValue(`The schema is not JSON: ${reasonOf(error)}.`)
  }
  if (typeof document !== "object" || document === null || Array.isArray(document)) {
    throw new UnsupportedValue(
      `The schema in JSON must be an object with the lists ${Object.keys(members).join(", ")}.`
    )
  }
  const unknown = Object.keys(document).find((name) => !Object.hasOwn(members, name))
  if (unknown !== undefined) {
    throw new UnsupportedValue(
      `The schema in JSON has the unknown list ${unknown}. The known lists are ${Object.keys(members).join(", ")}.`
    )
  }
  return document as Entry
}

/** The definitions of a list. Throws UnsupportedValue with the place of a definition with a missing or an unknown member. */
export const entriesOf = (document: Entry, list: string): ReadonlyArray<Located> => {
  const entries = document[list] ?? []
  if (!Array.isArray(entries)) throw new UnsupportedValue(`${list} of the schema in JSON must be a list.`)
  return entries.map((entry: unknown, at) => {
    const place = `${list}[${at}]`
    if (typeof entry !== "object" || entry === null)
      throw new UnsupportedValue(`${place} of the schema must be an object.`)
    const { needed, other } = members[list]!
    // Programs that write the document for each member write null for one without a value.
    const given = Object.entries(entry).filter(([, value]) => value !== null)
    for (const name of needed)
      if (!given.some(([member]) => member === name))
        throw new UnsupportedValue(`${place} of the schema has no ${name}.`)
    const unknown = Object.keys(entry).find((name) => !needed.includes(name) && !other.includes(name))
    if (unknown !== undefined) throw new UnsupportedValue(`${place} of the schema has the unknown member ${unknown}.`)
    return { list, place, entry: Object.fromEntries(given) }
  })
}
