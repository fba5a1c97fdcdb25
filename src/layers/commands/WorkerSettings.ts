import type { ChildProcess } from "node:child_process"
import { deserialize, serialize } from "node:v8"
import * as Redacted from "effect/Redacted"
import type { ServerSettings } from "../../services/Config.ts"

/** What a worker sends to get the settings, and the beginning of the answer. */
const QUESTION = "settings?"
const ANSWER = "settings:"

/** The key of an object that stands for a secret in a message. */
const SECRET = "\u0000secret"

/** Copies plain objects, lists and maps. An object for which `replace` returns another one becomes that. */
const copied = (value: unknown, replace: (value: object) => object): unknown => {
  if (typeof value !== "object" || value === null) return value
  const replaced = replace(value)
  if (replaced !== value) return replaced
  if (Array.isArray(value)) return value.map((one) => copied(one, replace))
  if (value instanceof Map) return new Map(Array.from(value, ([key, one]) => [key, copied(one, replace)]))
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copied(one, replace)]))
}

/** A message contains no secret as such: its text is in no property of it. */
const withoutSecret = (value: object): object =>
  Redacted.isRedacted(value) ? { [SECRET]: Redacted.value(value) } : value

const withSecret = (value: object): object => (SECRET in value ? Redacted.make(value[SECRET]) : value)

/** The text of settings in a message between processes. It contains the secrets. */
export const settingsText = (settings: ServerSettings): string =>
  serialize(copied(settings, withoutSecret)).toString("base64")

/** The settings of a text of {@link settingsText}. */
export const settingsOfText = (text: string): ServerSettings =>
  copied(deserialize(Buffer.from(text, "base64")), withSecret) as ServerSettings

/** Answers a worker that asks for the settings, of which this is the text. It has missed earlier messages: `given` repeats them. */
export const giveSettings = (child: ChildProcess, text: string, given: () => void): void => {
  child.on("message", (message) => {
    if (message !== QUESTION) return
    // The end of the process is reported elsewhere.
    child.send(ANSWER + text, () => undefined)
    given()
  })
}

/** Asks the primary process for the settings. Rejects when that process ends. */
export const settingsOfPrimary = (): Promise<ServerSettings> =>
  new Promise((resolve, reject) => {
    const receive = (message: unknown): void => {
      if (typeof message !== "string" || !message.startsWith(ANSWER)) return
      process.off("message", receive)
      process.off("disconnect", ended)
      resolve(settingsOfText(message.slice(ANSWER.length)))
    }
    const ended = (): void => reject(new Error("the primary process has ended"))
    process.on("message", receive)
    process.once("disconnect", ended)
    process.send?.(QUESTION, () => undefined)
    if (process.connected !== true) ended()
  })
