import * as Redacted from "effect/Redacted"
import { MASKED_SECRET } from "../../services/DynamicGraphs.ts"

/** True for the name of a setting or an option whose value is not shown. */
export const isSecret = (key: string): boolean =>
  /passw|passphrase|secret|token$|api[-_]?key|private[-_]?key|authenticator-args/i.test(key)

/** Options of a graph by key, with masked secrets. */
export const maskedOptions = (options: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map(Array.from(options, ([key, value]) => [key, isSecret(key) ? MASKED_SECRET : value]))

/** The value of a setting with masked secrets, also those inside lists and maps. `key` is the name of the setting. */
export const maskedValue = (key: string, value: unknown): unknown => {
  if (Redacted.isRedacted(value) || (isSecret(key) && value !== undefined && value !== null)) return MASKED_SECRET
  if (Array.isArray(value)) return value.map((each) => maskedValue("", each))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, maskedValue(name, child)]))
}
