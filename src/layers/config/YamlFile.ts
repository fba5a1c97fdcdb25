import { isIPv6 } from "node:net"
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLParseError
} from "yaml"
import type { ConfigProblem } from "../../services/Config.ts"
import type { Origin } from "../../services/GraphSettings.ts"
import { type Path, pathKey, type Sourced, type Tree } from "./Tree.ts"

/** A parsed file, or its syntax errors. */
interface YamlResult extends Sourced {
  readonly problems: ReadonlyArray<ConfigProblem>
}

/** A key that disappears where names of the user stand, such as those of graphs. */
const RESERVED = "__proto__"

/** An error message without the quoted text, which may be a password. */
const unquoting = (message: string): string =>
  message.replace(
    /(Unresolved alias|Block scalar header includes extra characters|Not a YAML token|Unexpected [\w-]+ token).*$/s,
    "$1; put a value that begins with one of *&|>!%@`{[ in quotes"
  )

/** Whether a text begins with an IPv6 address whose last character YAML takes for the end of a key. */
const isAddress = (text: string): boolean => isIPv6(/^[\da-f:]*::(?=\s|$)/i.exec(text)?.[0] ?? "")

/** What is wrong at an error of the parser, in words for a person who did not write the parser. */
const reasonOf = ({ code, message, pos }: YAMLParseError, text: string): string => {
  if (code === "MULTIPLE_DOCS") return "begins a second document, but a configuration is one; remove this line"
  if (isAddress(text.slice(pos[0]))) return 'an address that ends with a colon must be in quotes, such as "::"'
  if (code !== "DUPLICATE_KEY") return unquoting(message)
  const key = /^(?:"[^"\n]*"|'[^'\n]*'|[^\s:,]+)/.exec(text.slice(pos[0]))?.[0] ?? "a key"
  return `${key} is given twice in one map; keep one of the two`
}

/** More aliases than a person writes, so that they cannot stand for a text that fills the memory. */
const MAX_ALIASES = 100

/**
 * Parses YAML with the line of each key. Anchors, aliases and merge keys are resolved. A key without a value counts as
 * missing, as in the sample files of Gremlin Server.
 */
export const parseYaml = (file: string, text: string): YamlResult => {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, merge: true, prettyErrors: false, uniqueKeys: true })
  const origins = new Map<string, Origin>()
  const reserved: Array<ConfigProblem> = []
  const problem = (line: number | undefined, reason: string): ConfigProblem => ({
    source: file,
    line,
    setting: "",
    reason
  })
  if (document.errors.length > 0) {
    const problems = document.errors.map((error) => problem(lines.linePos(error.pos[0]).line, reasonOf(error, text)))
    return { tree: {}, origins, problems }
  }

  const lineOf = (node: Node | null): number | undefined =>
    node?.range == null ? undefined : lines.linePos(node.range[0]).line

  const endless = endlessAlias(document)
  if (endless !== undefined) {
    const reason = `the alias *${endless.source} is a part of the value that it stands for; write the value out`
    return { tree: {}, origins, problems: [problem(lineOf(endless), reason)] }
  }

  const walk = (node: unknown, path: Path): void => {
    if (isAlias(node)) walk(node.resolve(document), path)
    if (isSeq(node)) {
      node.items.forEach((item, index) => {
        const line = lineOf(item as Node)
        if (line !== undefined) origins.set(pathKey([...path, index]), { kind: "file", file, line })
        walk(item, [...path, index])
      })
    }
    if (!isMap(node)) return
    for (const { key, value } of node.items) {
      if (!isScalar(key)) continue
      const child = [...path, String(key.value)]
      const line = lineOf(key)
      if (key.value === RESERVED && path.length > 0)
        reserved.push(problem(line, `${RESERVED} is no name of a setting, a graph or an option`))
      if (line !== undefined) origins.set(pathKey(child), { kind: "file", file, line })
      walk(value, child)
    }
  }
  walk(document.contents, [])
  if (reserved.length > 0) return { tree: {}, origins, problems: reserved }

  // A number whose text differs from its value (0123, 1.0) stays text, because it may be a password.
  visit(document, {
    Scalar: (_, node) => {
      const respelled =
        typeof node.value === "number" && node.source !== undefined && String(node.value) !== node.source
      if (respelled) node.value = node.source
    }
  })

  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES })
  } catch (cause) {
    const reason = /alias count/.test(String(cause))
      ? `its aliases stand for more than ${MAX_ALIASES} values; write the values out`
      : unquoting(String(cause))
    return { tree: {}, origins, problems: [problem(undefined, reason)] }
  }
  if (value === null || value === undefined) return { tree: {}, origins, problems: [] }
  if (typeof value !== "object" || Array.isArray(value)) {
    return { tree: {}, origins, problems: [problem(1, "a map of settings is expected, such as 'port: 8182'")] }
  }
  return { tree: withoutNulls(value as Tree) ?? {}, origins, problems: [] }
}

/** An alias inside of the value of its own anchor, also through other aliases. */
const endlessAlias = (document: Document): Alias | undefined => {
  const finished = new Set<unknown>()
  const open = new Set<unknown>()
  const search = (node: unknown): Alias | undefined => {
    if (finished.has(node)) return undefined
    open.add(node)
    const children = isMap(node) ? node.items.flatMap(({ key, value }) => [key, value]) : isSeq(node) ? node.items : []
    for (const child of children) {
      const value = isAlias(child) ? child.resolve(document) : child
      if (isAlias(child) && open.has(value)) return child
      const found = search(value)
      if (found !== undefined) return found
    }
    open.delete(node)
    finished.add(node)
    return undefined
  }
  return search(document.contents)
}

const withoutNulls = (tree: Tree): Tree | undefined => {
  if (tree === null) return undefined
  if (Array.isArray(tree)) return tree.flatMap((child: Tree) => withoutNulls(child) ?? [])
  if (typeof tree !== "object") return tree
  const entries = Object.entries(tree).flatMap(([key, child]) => {
    const kept = withoutNulls(child)
    return kept === undefined ? [] : [[key, kept] as const]
  })
  return Object.fromEntries(entries)
}
