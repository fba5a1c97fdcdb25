import type { DatasetSettings, TraversalSourceSettings } from "../../services/Config.ts"

/** What can be read from an initialisation script of Gremlin Server without running Groovy. */
interface InitScript {
  readonly sources: ReadonlyArray<TraversalSourceSettings>
  readonly datasets: ReadonlyArray<Pick<DatasetSettings, "graph" | "dataset">>
  /** Names of functions that it defines. Scripts of clients cannot call them. */
  readonly functions: ReadonlyArray<string>
  /** Statements that were not recognised. They are not run. */
  readonly notRun: ReadonlyArray<{ readonly line: number; readonly text: string }>
}

interface Statement {
  readonly text: string
  readonly line: number
}

const brackets: Readonly<Record<string, number>> = { "(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1 }

/** Splits a text into characters and string literals, so that brackets and commas inside strings are ignored. */
const pieces = (text: string): ReadonlyArray<string> =>
  text.match(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[\s\S]/g) ?? []

/** Replaces comments by spaces. Strings and line numbers stay. */
const withoutComments = (script: string): string =>
  script.replace(/("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (match, string) =>
    string === undefined ? match.replace(/[^\n]/g, " ") : match
  )

/**
 * Splits a script into statements, which end at a line end or semicolon outside brackets. A condition without braces
 * includes the next statement.
 */
const statements = (script: string, firstLine: number): ReadonlyArray<Statement> => {
  const found: Array<Statement> = []
  let depth = 0
  let line = firstLine
  let text = ""
  let start = line
  const end = () => {
    const trimmed = text.trim()
    const open = /^(?:if|else|for|while)\b[^{]*$/.test(trimmed) && !/[;\n]\s*\S/.test(trimmed)
    if (trimmed !== "" && !open) found.push({ text: trimmed, line: start })
    if (!open) text = ""
  }
  for (const token of pieces(script)) {
    if (text.trim() === "" && token.trim() !== "") start = line
    depth += brackets[token] ?? 0
    if (depth === 0 && (token === "\n" || token === ";")) {
      text += token
      end()
    } else text += token
    if (token === "\n") line += 1
  }
  if (text.trim() !== "") found.push({ text: text.trim(), line: start })
  return found
}

const generators: Readonly<Record<string, DatasetSettings["dataset"]>> = {
  Modern: "modern",
  Classic: "classic",
  TheCrew: "crew",
  KitchenSink: "sink",
  GratefulDead: "grateful"
}

const emptyMap = /^(?:def\s+)?(?:(?:Map|LinkedHashMap)(?:<[^>]*>)?\s+)?(\w+)\s*=\s*\[:\]$/
const functionDefinition = /^(?:def|\w+)\s+(\w+)\s*\([^)]*\)\s*\{[\s\S]*\}$/
const addition = /^(\w+)\s*<<\s*\(?\s*\[([\s\S]*)\]\s*(?:as\s+Map(?:<[^>]*>)?\s*\))?$/
const hook = /^\w+\s*:\s*\[([\s\S]*)\]\s*as\s+(?:[\w.]+\.)?LifeCycleHook\s*$/
const source =
  /^\s*(\w+)\s*:\s*(?:(?:AnonymousTraversalSource\.)?traversal\(\)\s*\.\s*with(?:Embedded|Graph)?\s*\(\s*(\w+)\s*\)|(\w+)\.traversal\(\))\s*((?:\.[\s\S]*)?)$/
const closure = /(onStartUp|onShutDown)\s*:\s*\{\s*(?:[\w.]+\s+)?(?:\w+\s*)?->/g
const logging = /^\w+\.logger\.(?:info|warn|debug|error|trace)\s*\([\s\S]*\)$/
const generator = /^(?:[\w.]+\.)?TinkerFactory\.generate(\w+)\s*\(\s*(\w+)\s*\)$/

/** A graph that is looked up by name, in scripts for configurations without it, and the condition that tests the result. */
const lookup = /^(?:def|var|\w+)\s+(\w+)\s*=\s*context\.getBindings\([\w.]*GLOBAL_SCOPE\)\s*\[\s*["'](\w+)["']\s*\]$/
const whenPresent = /^if\s*\(\s*(\w+)\s*!=\s*null\s*\)\s*\{?([^{}]*)\}?$/

const lineBreaks = (text: string): number => text.split("\n").length - 1

/** The text of a block, from after its opening brace to before its closing one. */
const block = (text: string, from: number): string => {
  let depth = 1
  let inside = ""
  for (const piece of pieces(text.slice(from))) {
    depth += brackets[piece] ?? 0
    if (depth === 0) break
    inside += piece
  }
  return inside
}

/** The entries of a map literal, split at commas outside brackets. */
const entries = (text: string): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let depth = 0
  let part = ""
  for (const piece of pieces(text)) {
    depth += brackets[piece] ?? 0
    if (piece === "," && depth === 0) {
      parts.push(part)
      part = ""
    } else part += piece
  }
  return [...parts, part].filter((entry) => entry.trim() !== "")
}

/**
 * Reads a Groovy initialisation script in the form of those shipped with the JVM servers: a map of globals, traversal
 * sources bound to graphs, and a LifeCycleHook that logs or generates a toy graph. Nothing is evaluated; other statements
 * are listed.
 */
export const readInitScript = (script: string, graphs: ReadonlySet<string>): InitScript => {
  const sources: Array<TraversalSourceSettings> = []
  const datasets: Array<Pick<DatasetSettings, "graph" | "dataset">> = []
  const functions: Array<string> = []
  const notRun: Array<Statement> = []
  const globals = new Set(["globals"])
  /** Graphs by the script variables that refer to them. */
  const held = new Map(Array.from(graphs, (graph) => [graph, graph]))

  const readHook = (body: string, line: number): void => {
    for (const match of body.matchAll(closure)) {
      const from = match.index + match[0].length
      for (const statement of statements(block(body, from), line + lineBreaks(body.slice(0, from)))) {
        const generated = generator.exec(statement.text)
        const dataset = generators[generated?.[1] ?? ""]
        const graph = generated?.[2] ?? ""
        if (dataset !== undefined && graphs.has(graph) && match[1] === "onStartUp") datasets.push({ graph, dataset })
        else if (!logging.test(statement.text)) notRun.push(statement)
      }
    }
  }

  const readAddition = (text: string, line: number): boolean => {
    const lifeCycleHook = hook.exec(text.trim())
    if (lifeCycleHook !== null) {
      readHook(text, line)
      return true
    }
    const bound = entries(text).map((entry) => source.exec(entry))
    const known = bound.every((match) => match !== null && held.has(match[2] ?? match[3] ?? ""))
    if (!known || bound.length === 0) return false
    for (const match of bound) {
      // A strategy without configuration is `X` in Gremlin, and `X.instance()` in statically compiled Groovy.
      const rest = (match?.[4] ?? "").replace(/\s+/g, " ").replaceAll("Strategy.instance()", "Strategy").trim()
      const graph = held.get(match?.[2] ?? match?.[3] ?? "") ?? ""
      sources.push({ name: match?.[1] ?? "", graph, expression: rest === "" ? undefined : `g${rest}` })
    }
    return true
  }

  /** Variables that are null, because their graph is not configured. */
  const absent = new Set<string>()

  for (const statement of statements(withoutComments(script), 1)) {
    const { line } = statement
    const condition = whenPresent.exec(statement.text)
    if (absent.has(condition?.[1] ?? "")) continue
    const text = held.has(condition?.[1] ?? "") ? (condition?.[2] ?? "").trim() : statement.text
    const found = lookup.exec(text)
    const named = emptyMap.exec(text)
    const defined = functionDefinition.exec(text)
    const added = addition.exec(text)
    if (found !== null) {
      const [, variable = "", graph = ""] = found
      if (graphs.has(graph)) held.set(variable, graph)
      else absent.add(variable)
    } else if (named !== null) globals.add(named[1] ?? "")
    else if (defined !== null) functions.push(defined[1] ?? "")
    else if (globals.has(text) || /^import\s/.test(text) || /^return\s+\w+$/.test(text)) continue
    else if (added !== null && globals.has(added[1] ?? "") && readAddition(added[2] ?? "", line)) continue
    else notRun.push(statement)
  }
  return {
    sources,
    datasets,
    functions,
    notRun: notRun.map(({ line, text }) => ({ line, text: text.replace(/\s+/g, " ").slice(0, 80) }))
  }
}
