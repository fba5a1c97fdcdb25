import { parseScript, staticImportsOf } from "../../src/gremlin/Parser.ts"
import type { Script } from "../../src/gremlin/Script.ts"
import { GremlinSyntaxError } from "../../src/gremlin/SyntaxErrors.ts"
import { OWN_SOURCE } from "../wire/Requests.ts"

/** A mistake in a script. */
interface Mistake {
  /** Offset in the script. */
  readonly at: number
  readonly message: string
}

/** Longer scripts are not checked while they are typed. */
const MAX_CHECKED_CHARS = 200_000

/** Methods that many configurations import. Whether that of the server does is not known here. */
const possibleImports = staticImportsOf(["java.lang.Math#*"])

/** The mistake that the server would find first; undefined in a correct script. */
export const mistakeOf = (text: string): Mistake | undefined => {
  const parsed = parsedOf(text)
  return "message" in parsed ? parsed : undefined
}

const parsedOf = (text: string): Script | Mistake | Record<never, never> => {
  if (text.trim() === "" || text.length > MAX_CHECKED_CHARS) return {}
  try {
    return parseScript(text, { imports: possibleImports })
  } catch (error) {
    if (!(error instanceof GremlinSyntaxError)) throw error
    return { at: error.position, message: error.message }
  }
}

const isTraversal = (parsed: ReturnType<typeof parsedOf>): parsed is Script =>
  "traversal" in parsed && parsed.traversal !== undefined

/** A bracket at the begin of a script, after comments. */
const OPENING_BRACKET = /^((?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*)\(/

/**
 * A script that is one traversal, without the method that ends it: `g.V().toList();` and `(g.V())` are `g.V()`. Comments of the steps
 * stay.
 * Undefined for every other script.
 */
export const traversalOf = (text: string): string | undefined => {
  const parsed = parsedOf(text)
  if (!isTraversal(parsed)) return undefined
  let steps = text.slice(0, parsed.end).trim()
  // Brackets around a traversal close after its end.
  while (!isTraversal(parsedOf(steps))) {
    const inner = steps.replace(OPENING_BRACKET, "$1").trim()
    if (inner === steps) return undefined
    steps = inner
  }
  return steps
}

/** A traversal that ends with a method. A line comment at its end must not contain the method. */
export const endedBy = (traversal: string, method: "explain" | "iterate" | "profile"): string => {
  const lastLine = traversal.slice(traversal.lastIndexOf("\n") + 1)
  return `${traversal}${lastLine.includes("//") ? "\n" : ""}.${method}()`
}

/** Calls that can change a graph, its schema or a file. */
const CHANGING =
  /\b(addV|addE|mergeV|mergeE|property|drop|addVertex|addEdge|remove|io|write|read|openManagement|createIndex|dropIndex|createKeyIndex|dropKeyIndex|clear|commit|setProperty|create\w+|initializeSchemaFromString)\s*\(/

/** Texts and comments, in which a name means no call. A text with `$` may contain calls. */
const QUOTED = /'(?:[^'\\]|\\.)*'|"(?:[^"\\$]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g

/** The first call of a script that can change something; undefined if there is none. */
export const changingCall = (text: string): string | undefined => CHANGING.exec(text.replace(QUOTED, " "))?.[1]

/** Parts of a traversal that can run code of the user, or of a service. */
const CALLING = /[{$]|->|\bcall\s*\(/

/** Whether a script is a traversal that certainly changes nothing. `bound`: the names of variables that have plain values. */
export const onlyReads = (text: string, bound: ReadonlySet<string>): boolean => {
  const parsed = parsedOf(text)
  if (!isTraversal(parsed) || parsed.calls.size > 0 || changingCall(text) !== undefined) return false
  return !CALLING.test(text.replace(QUOTED, " ")) && [...parsed.variables.keys()].every((name) => bound.has(name))
}

/**
 * An assignment to the variable `g`. A declaration makes a variable of its script alone: `g` after `def` or the name of a type, but not
 * after another word, as in `else g = ...`, or after an arrow.
 */
const OWN_ASSIGNMENT =
  /(?<![.\w$]|(?:\]|(?<!-)>|\b(?!(?:assert|case|do|else|in|return|throw|yield)\b)[\w$]+)[ \t]+)g\s*=(?![=~])/

/** Sessions that keep a source of the console in their variable `g`. It would hide the chosen source from the next queries. */
const holding = new Set<string>()

/** Sessions whose user has given `g` a source of their own, such as one with a strategy. The console must not replace it. */
const owning = new Map<string, { readonly refusesChanges: boolean }>()

/** Notes an assignment of the user to `g`. A script with a mistake is not evaluated. */
const noteAssignment = (text: string, session: string, isReadOnly: boolean): void => {
  if (!OWN_ASSIGNMENT.test(text.replace(QUOTED, " ")) || mistakeOf(text) !== undefined) return
  owning.set(session, { refusesChanges: /\.withStrategies\s*\([^)]*ReadOnlyStrategy/.test(text) })
  if (!isReadOnly) holding.delete(session)
}

/** What a script of a session begins with; empty for nothing. */
const prefixOf = (session: string, isReadOnly: boolean): string => {
  const owned = owning.get(session)
  const own = owned === undefined ? OWN_SOURCE : "g"
  if (isReadOnly) {
    // What refuses changes by itself goes on to do so.
    if (owned?.refusesChanges !== true) holding.add(session)
    return `g = ${own}.withStrategies(ReadOnlyStrategy)\n`
  }
  if (!holding.has(session)) return ""
  return own === "g" ? "g = g.withoutStrategies(ReadOnlyStrategy)\n" : `g = ${own}\n`
}

/**
 * The script as it is sent in a session, or without one. If it may only read, its source refuses changes: the server then refuses what
 * {@link changingCall} does not know.
 */
export const scriptOn = (text: string, session: string | null, isReadOnly: boolean): string => {
  if (session === null) return isReadOnly ? `g = g.withStrategies(ReadOnlyStrategy)\n${text}` : text
  const prefix = prefixOf(session, isReadOnly)
  noteAssignment(text, session, isReadOnly)
  return `${prefix}${text}`
}

/** An error message whose line counts the line that {@link scriptOn} adds. */
export const withOwnLine = (message: string): string =>
  message.replace(/^Line (\d+)/, (_, line: string) => `Line ${Math.max(1, Number(line) - 1)}`)
