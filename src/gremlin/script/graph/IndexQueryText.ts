import { OperandError } from "../values/OperandErrors.ts"

/** One condition on a field of an index, as the query syntax of Lucene writes it. */
export interface FieldTerm {
  readonly kind: "term"
  readonly field: string
  /** `text`: words or one value; `phrase`: words in order; `prefix`: `abc*`; `fuzzy`: `abc~`; `range`: `[1 TO 5]`. */
  readonly match: "text" | "phrase" | "prefix" | "fuzzy" | "range"
  readonly value: string
  /** The end of a range; `*` is no limit. */
  readonly to: string
  readonly includesFrom: boolean
  readonly includesTo: boolean
}

/** Conditions of which some must match, some must not, and the others are alternatives. */
export interface Conditions {
  readonly kind: "conditions"
  readonly parts: ReadonlyArray<{ readonly of: QueryNode; readonly occurs: "should" | "must" | "not" }>
}

/** A query, or a part of one in parentheses. */
export type QueryNode = FieldTerm | Conditions

/** Limits of one query: nested parentheses, terms and characters. */
const MAX_LEVELS = 20
const MAX_TERMS = 200
const MAX_QUERY_CHARS = 10_000

/**
 * Parses a direct index query: terms, phrases, prefixes, ranges, AND, OR, NOT, + and -, and parentheses of Lucene's query syntax.
 * `identifier` is written before the keys of properties, as in `v.name:hercules`. Fails with OperandError for anything else.
 */
export const parseIndexQuery = (query: string, identifier: string): QueryNode => {
  if (query.length > MAX_QUERY_CHARS) throw new OperandError(`an index query has at most ${MAX_QUERY_CHARS} characters`)
  return new IndexQueryParser(query, identifier).whole()
}

/** Characters that end a term. */
const SPECIAL = /[\s()[\]{}:"^~]/
/** Characters that end an end of a range. */
const END_OF_RANGE = /[\s\]}]/

class IndexQueryParser {
  readonly #text: string
  readonly #identifier: string
  #at = 0
  #terms = 0
  #level = 0

  constructor(text: string, identifier: string) {
    this.#text = text
    this.#identifier = identifier
  }

  whole(): QueryNode {
    const node = this.#conditions("")
    if (this.#at < this.#text.length) throw this.#problem("the end of the query")
    return node
  }

  #problem(expected: string): OperandError {
    const found = this.#at < this.#text.length ? JSON.stringify(this.#text.slice(this.#at, this.#at + 20)) : "the end"
    return new OperandError(
      `the index query has ${found} at offset ${this.#at} where ${expected} was expected; it may have terms such as ` +
        `${this.#identifier}name:hercules, phrases, prefixes, ranges, AND, OR, NOT and parentheses`
    )
  }

  #skip(): void {
    while (/\s/.test(this.#text.charAt(this.#at))) this.#at++
  }

  #takes(pattern: RegExp): boolean {
    this.#skip()
    const found = pattern.exec(this.#text.slice(this.#at, this.#at + 5))
    if (found === null) return false
    this.#at += found[0].length
    return true
  }

  /** Reads conditions up to a closing parenthesis or the end. `field`: the field of terms without one. */
  #conditions(field: string): QueryNode {
    if (++this.#level > MAX_LEVELS) throw new OperandError(`an index query nests at most ${MAX_LEVELS} levels`)
    const parts: Array<{ of: QueryNode; occurs: "should" | "must" | "not" }> = []
    for (;;) {
      this.#skip()
      if (this.#at >= this.#text.length || this.#text.charAt(this.#at) === ")") break
      const joined = parts.length === 0 ? "" : this.#connective()
      const isNot = this.#takes(/^(?:NOT(?=[\s(])|!|-)/)
      const isMust = !isNot && this.#takes(/^\+/)
      // As in Lucene's parser, AND requires the condition before it, too.
      const before = parts.at(-1)
      if (joined === "and" && before !== undefined && before.occurs === "should") before.occurs = "must"
      parts.push({ of: this.#condition(field), occurs: isNot ? "not" : isMust || joined === "and" ? "must" : "should" })
    }
    this.#level--
    if (parts.length === 0) throw this.#problem("a condition")
    const [first] = parts
    return parts.length === 1 && first!.occurs !== "not" ? first!.of : { kind: "conditions", parts }
  }

  #connective(): "and" | "or" | "" {
    if (this.#takes(/^(?:AND(?=[\s(])|&&)/)) return "and"
    return this.#takes(/^(?:OR(?=[\s(])|\|\|)/) ? "or" : ""
  }

  #condition(field: string): QueryNode {
    this.#skip()
    if (this.#text.charAt(this.#at) === "(") return this.#group(field)
    if (this.#text.startsWith(this.#identifier, this.#at)) {
      const name = this.#fieldName()
      this.#skip()
      return this.#text.charAt(this.#at) === "(" ? this.#group(name) : this.#term(name)
    }
    if (field === "") throw this.#problem(`a field such as ${this.#identifier}name`)
    return this.#term(field)
  }

  #group(field: string): QueryNode {
    this.#at++
    const node = this.#conditions(field)
    if (this.#text.charAt(this.#at) !== ")") throw this.#problem("')'")
    this.#at++
    return node
  }

  /** Reads `v.name:` or `v."first name":`. */
  #fieldName(): string {
    this.#at += this.#identifier.length
    const name = this.#text.charAt(this.#at) === '"' ? this.#quoted() : this.#word()
    if (name === "" || this.#text.charAt(this.#at) !== ":") throw this.#problem("the name of a property key and ':'")
    this.#at++
    return name
  }

  #quoted(): string {
    let value = ""
    for (this.#at++; this.#text.charAt(this.#at) !== '"'; this.#at++) {
      if (this.#text.charAt(this.#at) === "\\") this.#at++
      if (this.#at >= this.#text.length) throw this.#problem("'\"'")
      value += this.#text.charAt(this.#at)
    }
    this.#at++
    return value
  }

  /** Reads an end of a range. As in Lucene, times need no quotation marks there: `[2024-01-31T10:00:00Z TO *]`. */
  #end(): string {
    return this.#text.charAt(this.#at) === '"' ? this.#quoted() : this.#word(END_OF_RANGE)
  }

  #word(end = SPECIAL): string {
    let value = ""
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text.charAt(this.#at)
      if (character === "\\") this.#at++
      else if (end.test(character)) break
      value += this.#text.charAt(this.#at)
    }
    return value
  }

  #term(field: string): FieldTerm {
    if (++this.#terms > MAX_TERMS) throw new OperandError(`an index query has at most ${MAX_TERMS} terms`)
    this.#skip()
    const start = this.#text.charAt(this.#at)
    const base = { kind: "term", field, to: "", includesFrom: true, includesTo: true } as const
    if (start === "[" || start === "{") return this.#range(base)
    if (start === '"') return { ...base, match: "phrase", value: this.#quoted() }
    const from = this.#at
    const value = this.#word()
    if (value === "") throw this.#problem("a value")
    if (this.#takesHere("~")) return { ...base, match: "fuzzy", value }
    if (this.#text.charAt(this.#at) === "^")
      throw this.#problem("no boost, because scores count the matching terms; a space")
    if (/^[^*?]+\*$/.test(value)) return { ...base, match: "prefix", value: value.slice(0, -1) }
    if (/[*?]/.test(this.#text.slice(from, this.#at).replace(/\\./g, ""))) {
      throw new OperandError(
        `the index query has the wildcard ${JSON.stringify(value)}: only a * at the end of a word is supported`
      )
    }
    return { ...base, match: "text", value }
  }

  #takesHere(character: string): boolean {
    if (this.#text.charAt(this.#at) !== character) return false
    this.#at++
    return true
  }

  /** Reads `[a TO b]`; braces exclude the ends. */
  #range(base: Pick<FieldTerm, "kind" | "field">): FieldTerm {
    const includesFrom = this.#text.charAt(this.#at++) === "["
    this.#skip()
    const value = this.#end()
    if (!this.#takes(/^TO(?=\s)/)) throw this.#problem("TO")
    this.#skip()
    const to = this.#end()
    this.#skip()
    const end = this.#text.charAt(this.#at)
    if (value === "" || to === "" || (end !== "]" && end !== "}")) throw this.#problem("the end of the range")
    this.#at++
    return { ...base, match: "range", value, to, includesFrom, includesTo: end === "]" }
  }
}
