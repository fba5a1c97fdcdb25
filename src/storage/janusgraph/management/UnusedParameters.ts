import type { Parameter } from "../format/JavaValues.ts"
import { MAPPING } from "../schema/DocumentFields.ts"
import type { SchemaEdit } from "./SchemaEdits.ts"

/** A field of an index with parameters that have no effect: the names of the index, of its key and of the parameters. */
interface UnusedParameters {
  readonly index: string
  readonly key: string
  readonly parameters: ReadonlyArray<string>
}

/**
 * The parameters of a change that only search engines use, such as analyzers, for an index in the store of the graph, which has no use
 * for them.
 */
export const unusedParameters = (edit: SchemaEdit): ReadonlyArray<UnusedParameters> => {
  if (edit.kind === "index" && edit.index.documents === undefined) {
    const { keys, name, parameters } = edit.index
    return keys.flatMap((key, at) => unused(name, key.name, parameters?.[at]))
  }
  if (edit.kind === "indexKey" && edit.index.engineStatus === undefined) {
    return unused(edit.index.name, edit.key.name, edit.options.parameters)
  }
  return []
}

const unused = (index: string, key: string, given: ReadonlyArray<Parameter> = []): ReadonlyArray<UnusedParameters> => {
  const parameters = given.map((each) => each.key).filter((name) => name.toLowerCase() !== MAPPING)
  return parameters.length === 0 ? [] : [{ index, key, parameters }]
}
