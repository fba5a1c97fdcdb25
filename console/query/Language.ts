import { HighlightStyle, StreamLanguage, type StringStream, syntaxHighlighting } from "@codemirror/language"
import { tags } from "@lezer/highlight"
import { predicates, spawns, terminals, textPredicates } from "../../src/gremlin/parser/Methods.ts"
import { steps } from "../../src/process/language/StepSignatures.ts"

const WORDS = new Set([
  "def",
  "for",
  "in",
  "if",
  "else",
  "while",
  "return",
  "null",
  "true",
  "false",
  "new",
  "try",
  "catch"
])

interface State {
  /** The quote of a text over several lines, or `*` in a comment; empty elsewhere. */
  within: string
}

const restOf = (stream: StringStream, end: string): boolean => {
  while (!stream.eol()) {
    if (stream.match(end)) return true
    if (stream.next() === "\\") stream.next()
  }
  return false
}

const nameKind = (name: string, isCall: boolean): string | null => {
  if (WORDS.has(name)) return "keyword"
  if (/^(?:g|__|graph|mgmt)$/.test(name)) return "variableName.special"
  if (isCall && steps.get(name) !== undefined) return "variableName.function"
  if (isCall && (predicates.get(name) ?? textPredicates.get(name)) !== undefined) return "operatorKeyword"
  if (isCall && (terminals.get(name) !== undefined || spawns.has(name))) return "variableName.function"
  return /^[A-Z]/.test(name) ? "typeName" : null
}

const token = (stream: StringStream, state: State): string | null => {
  if (state.within !== "") {
    const isComment = state.within === "*"
    if (restOf(stream, isComment ? "*/" : state.within)) state.within = ""
    return isComment ? "comment" : "string"
  }
  if (stream.eatSpace()) return null
  if (stream.match("//")) {
    stream.skipToEnd()
    return "comment"
  }
  if (stream.match("/*")) {
    if (!restOf(stream, "*/")) state.within = "*"
    return "comment"
  }
  const quote = stream.match(/^(?:'''|"""|'|")/) as RegExpMatchArray | null
  if (quote !== null) {
    if (!restOf(stream, quote[0]) && quote[0].length === 3) state.within = quote[0]
    return "string"
  }
  if (stream.match(/^\d[\w.]*/)) return "number"
  const name = stream.match(/^[A-Za-z_$][\w$]*/) as RegExpMatchArray | null
  if (name !== null) return nameKind(name[0], stream.match(/^\s*\(/, false) !== null)
  stream.next()
  return null
}

/** Colours of Gremlin and of the part of Groovy that the server reads. */
export const language = StreamLanguage.define<State>({ name: "gremlin", startState: () => ({ within: "" }), token })

/** Colours by custom properties of the page, so that they follow its dark and light. */
export const highlighting = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.keyword, color: "var(--code-keyword)" },
    { tag: tags.special(tags.variableName), color: "var(--code-source)", fontWeight: "600" },
    { tag: tags.function(tags.variableName), color: "var(--code-step)" },
    { tag: tags.operatorKeyword, color: "var(--code-predicate)" },
    { tag: tags.string, color: "var(--code-string)" },
    { tag: tags.number, color: "var(--code-number)" },
    { tag: tags.typeName, color: "var(--code-keyword)" },
    { tag: tags.comment, color: "var(--muted)", fontStyle: "italic" }
  ])
)
