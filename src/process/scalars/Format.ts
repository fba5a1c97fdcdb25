import { LimitExceeded } from "../language/Errors.ts"
import { checkLength, textWithin } from "./Texts.ts"

/** Limit of placeholders in one format, because all of them are filled in without a yield. */
const MAX_PLACEHOLDERS = 10_000

/** The name of the placeholders that by() modulators fill in: `%{_}`. */
export const byPlaceholder = "_"

/** A template of format(): texts with placeholders between them. */
export class FormatTemplate {
  /** The texts around the placeholders: one more than `names`. */
  readonly texts: readonly string[]
  /** Names of the placeholders in order, repetitions included. */
  readonly names: readonly string[]
  constructor(texts: readonly string[], names: readonly string[]) {
    this.texts = texts
    this.names = names
  }

  /** Fills in one value for each placeholder, in the order of `names`. Throws LimitExceeded for a text that becomes too long. */
  render(values: ArrayLike<unknown>): string {
    let result = this.texts[0]!
    for (let i = 0; i < this.names.length; i++) {
      result += textWithin("format", values[i]) + this.texts[i + 1]!
      checkLength("format", result.length)
    }
    return result
  }
}

/** Parses a format. `%{name}` is a placeholder, unless another % precedes it. Throws LimitExceeded for too many placeholders. */
export const parseFormat = (format: string): FormatTemplate => {
  checkLength("format", format.length)
  const texts: Array<string> = []
  const names: Array<string> = []
  let start = 0
  let open = format.indexOf("%{")
  while (open !== -1) {
    const escaped = format[open - 1] === "%"
    const close = escaped ? open : format.indexOf("}", open)
    if (close === -1) break
    if (!escaped) {
      texts.push(format.slice(start, open))
      names.push(format.slice(open + 2, close))
      if (names.length > MAX_PLACEHOLDERS) {
        throw new LimitExceeded(`format() takes at most ${MAX_PLACEHOLDERS} placeholders, but this one has more.`)
      }
      start = close + 1
    }
    open = format.indexOf("%{", close + 1)
  }
  texts.push(format.slice(start))
  return new FormatTemplate(texts, names)
}
