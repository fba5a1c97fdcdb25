import { UnsupportedValue } from "../../../structure/errors/StoreErrors.ts"
import type { DocumentField } from "../schema/Schema.ts"

const namesOf = ({ name, wholeName }: DocumentField): ReadonlyArray<string> =>
  wholeName === undefined ? [name] : [name, wholeName]

/**
 * Throws UnsupportedValue for a new field with the name of another one: a document could have one of them only. The fields that the index
 * has already may be of other programs, and are not compared with each other.
 */
export const checkFieldNames = (
  index: string,
  fields: ReadonlyArray<DocumentField>,
  existing: ReadonlyArray<DocumentField> = []
): void => {
  const keys = new Map(existing.flatMap((field) => namesOf(field).map((name) => [name, field.key.name])))
  for (const field of fields) {
    const { key } = field
    for (const each of namesOf(field)) {
      const other = keys.get(each)
      if (other !== undefined) {
        throw new UnsupportedValue(
          `The keys ${other} and ${key.name} of the index ${index} would have one field ${each} in its documents: a renamed key keeps its ` +
            "field. Give the new key another name of the field by the parameter mapped-name."
        )
      }
      keys.set(each, key.name)
    }
  }
}
