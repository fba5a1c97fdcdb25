import { DynamicGraphError, type GraphConfiguration, MASKED_SECRET } from "../../../services/DynamicGraphs.ts"
import { isSecret } from "../../config/MaskedSecrets.ts"
import { FROM_TEMPLATE, TEMPLATE } from "./ConfigurationGraph.ts"

/** Options in one configuration. */
const MAX_OPTIONS = 200
/** Characters of the value of an option. */
const MAX_VALUE_CHARACTERS = 10_000

/** Keys of a configuration that are not options of a graph. */
export const ownKeys: ReadonlySet<string> = new Set([TEMPLATE, FROM_TEMPLATE])

/** The error of a configuration that cannot be used. */
export const invalid = (message: string): DynamicGraphError => new DynamicGraphError("invalid", message)

/** A configuration whose secrets are replaced by {@link MASKED_SECRET}. */
export const masked = (options: GraphConfiguration): GraphConfiguration =>
  new Map(Array.from(options, ([key, value]) => [key, isSecret(key) ? MASKED_SECRET : value]))

/** The options of a caller. Throws DynamicGraphError for keys and values that cannot be kept. */
export const checkedOptions = (options: GraphConfiguration): GraphConfiguration => {
  if (options.size > MAX_OPTIONS) throw invalid(`A configuration has at most ${MAX_OPTIONS} options.`)
  for (const [key, value] of options) {
    const shown = JSON.stringify(String(key).slice(0, 100))
    if (typeof key !== "string" || !/^[\w.-]{1,200}$/.test(key)) throw invalid(`${shown} is not the name of an option.`)
    if (ownKeys.has(key)) throw invalid(`${shown} is not an option: the server sets it itself.`)
    if (!["string", "number", "boolean", "bigint"].includes(typeof value)) {
      throw invalid(`The value of ${shown} must be a text, a number or a boolean. A list is a text with commas.`)
    }
    if (String(value).length > MAX_VALUE_CHARACTERS) {
      throw invalid(`The value of ${shown} has more than ${MAX_VALUE_CHARACTERS} characters.`)
    }
    if (isSecret(key) && value === MASKED_SECRET) {
      throw invalid(`The value of ${shown} is the mask of a secret, not the secret.`)
    }
  }
  return options
}

/** The names of options that a caller removes. Throws DynamicGraphError for those that no caller may set. */
export const checkedKeys = (keys: ReadonlySet<string>): ReadonlySet<string> => {
  checkedOptions(new Map(Array.from(keys, (key) => [key, ""])))
  return keys
}
