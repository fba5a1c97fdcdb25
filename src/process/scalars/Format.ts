import { LimitExceeded } from "../language/Errors.ts"
import { checkLength, textWithin } from "./Texts.ts"

/** Placeholders of one format: all of them are filled in at once. */
const MOST_PLACEHOLDERS = 10_000

/** The name under which the values of by() modulators appear in a format: `%{_}`. */
export const byPlaceholder = "_"

/** A format() template: texts and the placeholders between them. */
export class FormatTemplate {
  /** One more than there are names. */
  readonly texts: readonly string[]
  /** Names of the placeholders in order, repetitions included. */
  readonly names: readonly string[]
  constructor(texts: readonly string[], names: readonly string[]) {
    this.texts = texts
    this.names = names
  }

  /** The text with a value for each placeholder. */
  render(values: ArrayLike<unknown>): string {
    let result = this.texts[0]!
    for (let i = 0; i < this.names.length; i++) {
      result += textWithin("format", values[i]) + this.texts[i + 1]!
      checkLength("format", result.length)
    }
    return result
  }
}

/** Reads a format: `%{name}` is a placeholder, unless another % stands before it. */
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
      if (names.length > MOST_PLACEHOLDERS) {
        throw new LimitExceeded(`A format() has at most ${MOST_PLACEHOLDERS} placeholders, and this one has more.`)
      }
      start = close + 1
    }
    open = format.indexOf("%{", close + 1)
  }
  texts.push(format.slice(start))
  return new FormatTemplate(texts, names)
}
