import { UnsupportedValue } from "../../../structure/errors/StoreErrors.ts"
import { assertEngineName } from "../documents/SearchEngine.ts"
import type { DocumentStore, EdgeLabel, GraphIndex, PropertyKey } from "../schema/Schema.ts"
import { checkFieldNames } from "./FieldConflicts.ts"
import { addedDocuments, type FieldOptions, type NewIndex } from "./IndexDefinition.ts"

// Checks of new indexes and of their keys. All of them fail with UnsupportedValue.

/** As JanusGraph, refuses a blank name. */
export const checkIndexName = (name: string): void => {
  if (name.trim() === "") throw new UnsupportedValue("The name of an index cannot be blank: give it another one.")
}

/**
 * Checks the name of an index in a search engine. Two indexes with one name there, where names have no capitals, would overwrite each
 * other's documents. The engine keeps the first name of an index.
 */
export const checkStoreName = ({ backing, name }: NewIndex, others: ReadonlyArray<GraphIndex | NewIndex>): void => {
  assertEngineName(name)
  const storeOf = (index: GraphIndex | NewIndex): string => ("store" in index ? index.store : index.name)
  const isServed = (index: GraphIndex | NewIndex): boolean => !("store" in index) || index.engineStatus !== undefined
  const isSame = (index: GraphIndex | NewIndex): boolean =>
    index.backing === backing && storeOf(index).toLowerCase() === name.toLowerCase()
  const same = others.find((other) => isServed(other) && isSame(other))
  if (same === undefined) return
  const kept =
    storeOf(same) === same.name
      ? "the names of search engines have no capital letters"
      : `the search engine has kept its first name ${storeOf(same)}`
  throw new UnsupportedValue(
    `The index ${name} would have the documents of the index ${same.name}: ${kept}. Choose another name.`
  )
}

/** Checks the type and the keys of a vertex-centric index: values of the keys must have an order. */
export const checkSortKey = (
  base: EdgeLabel | PropertyKey,
  name: string,
  sortKey: ReadonlyArray<PropertyKey>
): void => {
  if (sortKey.length === 0) throw new UnsupportedValue(`The index ${name} needs a property key to sort by.`)
  if (base.multiplicity === "ONE2ONE" || (base.isKey && base.multiplicity === "MANY2ONE")) {
    throw new UnsupportedValue(`A vertex has at most one ${base.name}: an index would have nothing to sort.`)
  }
  for (const { dataType, name: key } of sortKey) {
    if (dataType.ordered === undefined) {
      throw new UnsupportedValue(`Values of the type ${dataType.name} (${key}) have no order, which ${name} needs.`)
    }
  }
}

/** A key that is added to an existing index. */
interface AddedKey {
  readonly index: GraphIndex
  readonly key: PropertyKey
  readonly options: FieldOptions
}

/**
 * Checks a key that is added to an existing index, after others that the same transaction adds. `isEngine`: true for the name of an index
 * backend that is a search engine.
 */
export const checkAddedKey = (
  { index, key, options }: AddedKey,
  others: ReadonlyArray<AddedKey>,
  isEngine: (backing: string) => boolean
): void => {
  const isServed = index.engineStatus !== undefined
  if (index.kind !== "mixed" && !isServed) {
    throw new UnsupportedValue(`Keys can be added only to a mixed index; ${index.name} is not mixed.`)
  }
  if (index.fields.some(({ id }) => id === key.id)) {
    throw new UnsupportedValue(`The key ${key.name} is in the index ${index.name} already.`)
  }
  if (!isServed) return
  if (!isEngine(index.backing)) {
    throw new UnsupportedValue(
      `JanusGraph keeps the index ${index.name} in the index backend '${index.backing}', which this server does not know: name it in ` +
        `index.${index.backing}.backend, or add the key in JanusGraph.`
    )
  }
  const fieldsOf = (added: AddedKey): DocumentStore["fields"] => addedDocuments(index.name, added).fields
  const before = others.filter((other) => other.index.id === index.id).flatMap(fieldsOf)
  // Fails for a key that a document cannot have.
  checkFieldNames(index.name, fieldsOf({ index, key, options }), [...(index.documents?.fields ?? []), ...before])
}
