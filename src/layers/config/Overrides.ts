import { isIPv6 } from "node:net"
import { parse } from "yaml"
import type { ConfigProblem } from "../../services/Config.ts"
import type { Origin } from "../../services/GraphSettings.ts"
import { closest } from "../../structure/characters/Spelling.ts"
import type { OptionOverride } from "./GraphFile.ts"
import { tinkerGraphKeys } from "./GraphKeys.ts"
import type { Environment } from "./Interpolation.ts"
import { janusGraphOptions, janusGraphRoots } from "./JanusGraphOptions.ts"
import { isMap, type Path, pathKey, type Sourced, type Tree, valueAt, withoutValue, withValue } from "./Tree.ts"

/** A change of the file's settings by the environment or the command line. */
export interface Override {
  readonly operation: "set" | "append" | "delete"
  readonly path: Path
  /** True if upper and lower case are equal in the path: the names of environment variables often have only one case. */
  readonly anyCase: boolean
  readonly value: Tree
  readonly origin: Origin
}

/** The overrides, and the variables that look like one but cannot be parsed. */
interface Overrides {
  readonly overrides: ReadonlyArray<Override>
  readonly problems: ReadonlyArray<ConfigProblem>
}

/**
 * Parses a value as YAML: numbers, booleans, lists and maps. A value that is not valid YAML is text. A number that YAML would write
 * differently (007) is also text, because it may be a password. So is an address such as `::`, which YAML reads as a map.
 */
const readValue = (text: string): Tree => {
  if (isIPv6(text)) return text
  try {
    const value = parse(text) as Tree | undefined
    if (value === undefined || value === null) return text
    return typeof value === "object" || String(value) === text ? value : text
  } catch {
    return text
  }
}

/** Parses a path such as `a.b[0]["key.with.dots"]`. Undefined when a bracket is not closed or a part is empty. */
export const parsePath = (text: string): { readonly path: Path; readonly append: boolean } | undefined => {
  const path: Array<string | number> = []
  const append = text.endsWith("[+]")
  const rest = append ? text.slice(0, -3) : text
  const part = /(?:^|\.)([^.[\]"]+)|\[(\d+)\]|\[?"([^"]+)"\]?/y
  while (part.lastIndex < rest.length) {
    const match = part.exec(rest)
    if (match === null) return undefined
    path.push(match[2] === undefined ? (match[1] ?? match[3] ?? "") : Number(match[2]))
  }
  return path.length === 0 ? undefined : { path, append }
}

const dotted = /^(?:engineserver|gremlinserver)(%d)?\.(.+)$/
const shellSafe = /^(?:ENGINESERVER|GREMLINSERVER)(_D)?__(.+)$/

/**
 * Reads overrides of settings: `engineserver.<path>` and `gremlinserver.<path>`, as in the container images of the JVM
 * servers (`%d` after the prefix deletes, `[+]` after the path appends), and `ENGINESERVER__<PATH>` with `__` between parts
 * for shells that drop names with dots (`ENGINESERVER_D__` deletes).
 */
export const overridesFromEnvironment = (environment: Environment): Overrides => {
  const overrides: Array<Override> = []
  const problems: Array<ConfigProblem> = []
  for (const variable of Object.keys(environment).sort()) {
    const value = environment[variable] ?? ""
    const origin: Origin = { kind: "environment", variable }
    const safe = shellSafe.exec(variable)
    if (safe !== null) {
      const path = (safe[2] ?? "").split("__").map((part) => (/^\d+$/.test(part) ? Number(part) : part))
      const operation = safe[1] === undefined ? "set" : "delete"
      overrides.push({ operation, path, anyCase: true, value: readValue(value), origin })
      continue
    }
    const match = dotted.exec(variable)
    if (match === null) continue
    const parsed = parsePath(match[2] ?? "")
    if (parsed === undefined) {
      problems.push({
        source: "environment",
        line: undefined,
        setting: variable,
        reason: "this is not the path of a setting, such as ssl.enabled or serializers[0].className"
      })
      continue
    }
    const operation = match[1] !== undefined ? "delete" : parsed.append ? "append" : "set"
    overrides.push({ operation, path: parsed.path, anyCase: false, value: readValue(value), origin })
  }
  // Deletions come first, so that a block can be deleted and written again.
  const isDelete = ({ operation }: Override) => operation === "delete"
  return { overrides: [...overrides.filter(isDelete), ...overrides.filter((one) => !isDelete(one))], problems }
}

const graphOption = /^(?:service|janusgraph)\.(.+)$/
const shellSafeGraphOption = /^(?:SERVICE|JANUSGRAPH)__(.+)$/

/**
 * Reads overrides of the default graph's options: `janusgraph.<option>` and `service.<option>` as in the container images,
 * or `JANUSGRAPH__STORAGE__READ_ONLY` for `storage.read-only`. A variable belongs to another program when its first part is
 * not similar to the first part of an option. Also reads {@link STORAGE_TIMEOUT}, which `storage.setup-wait` wins over.
 */
export const optionOverridesFromEnvironment = (environment: Environment): ReadonlyArray<OptionOverride> => {
  const named = Object.keys(environment)
    .sort()
    .flatMap((variable) => {
      const safe = shellSafeGraphOption.exec(variable)?.[1]
      const key = safe === undefined ? graphOption.exec(variable)?.[1] : spelledOption(safe)
      if (key === undefined || !isGraphOption(key)) return []
      return [{ key, value: environment[variable] ?? "", origin: { kind: "environment", variable } as const }]
    })
  const seconds = environment[STORAGE_TIMEOUT] ?? ""
  if (seconds === "") return named
  const origin = { kind: "environment", variable: STORAGE_TIMEOUT } as const
  return [{ key: "storage.setup-wait", value: `${seconds} s`, origin, isForCassandra: true }, ...named]
}

/** Variable of JanusGraph's image: the seconds that the start waits for Cassandra. */
const STORAGE_TIMEOUT = "JANUS_STORAGE_TIMEOUT"

const isGraphOption = (key: string): boolean => {
  const root = key.slice(0, Math.max(0, key.indexOf(".")))
  return root === "gremlin" || (root !== "" && closest(root, janusGraphRoots) !== undefined)
}

/**
 * Converts `STORAGE__READ_ONLY` to `storage.read-only`, or to the known option that differs only in case or underscores.
 */
const spelledOption = (name: string): string => {
  const key = name
    .toLowerCase()
    .replaceAll("__", ".")
    .replaceAll("_", "-")
    .replace(/^gremlin\./, "engine.")
  const isSame = (known: string): boolean => known.toLowerCase().replaceAll("_", "-") === key
  return tinkerGraphKeys.find(isSame) ?? janusGraphOptions.find(isSame) ?? key
}

/** Parses `path=value` of `--set`; undefined when it is malformed. */
export const overrideFromArgument = (argument: string): Override | undefined => {
  const equals = argument.indexOf("=")
  const parsed = parsePath(argument.slice(0, equals))
  if (equals < 1 || parsed === undefined) return undefined
  const operation = parsed.append ? "append" : "set"
  // The origin omits the value, which may be a secret.
  const origin: Origin = { kind: "argument", argument: `--set ${argument.slice(0, equals)}` }
  return { operation, path: parsed.path, anyCase: false, value: readValue(argument.slice(equals + 1)), origin }
}

/** Gives each part of a path the spelling that the tree or the schema has. Ignores upper and lower case. */
const respell = (path: Path, tree: Tree, known: (path: Path) => ReadonlyArray<string>): Path => {
  const spelled: Array<string | number> = []
  for (const part of path) {
    if (typeof part === "number") {
      spelled.push(part)
      continue
    }
    const parent = valueAt(tree, spelled)
    const candidates = [...known(spelled), ...(isMap(parent) ? Object.keys(parent) : [])]
    const wanted = part.toLowerCase()
    spelled.push(candidates.find((name) => name.toLowerCase() === wanted) ?? wanted)
  }
  return spelled
}

/**
 * True for the path of a properties file that is given for a graph which is a map. The map keeps its other parts, such as sources that
 * allow no writes.
 */
const isFileOfGraph = ([block, ...name]: Path, value: Tree, before: Tree | undefined): boolean =>
  block === "graphs" && name.length === 1 && typeof value === "string" && isMap(before)

/** Applies overrides in order. `canonical` replaces other names in a path; `known` lists the settings below a path. */
export const applyOverrides = (
  sourced: Sourced,
  overrides: ReadonlyArray<Override>,
  canonical: (path: Path) => Path,
  known: (path: Path) => ReadonlyArray<string>
): Sourced => {
  let tree = sourced.tree
  const origins = new Map(sourced.origins)
  for (const { anyCase, operation, origin, path: given, value } of overrides) {
    const path = canonical(anyCase ? respell(given, tree, known) : given)
    const before = valueAt(tree, path)
    if (operation === "append") {
      const target = [...path, Array.isArray(before) ? before.length : 0]
      tree = withValue(tree, target, value)
      origins.set(pathKey(target), origin)
      continue
    }
    const target = operation === "set" && isFileOfGraph(path, value, before) ? [...path, "configuration"] : path
    const own = pathKey(target)
    for (const key of [...origins.keys()]) {
      if (key === own || key.startsWith(`${own}.`) || key.startsWith(`${own}[`)) origins.delete(key)
    }
    tree = operation === "delete" ? withoutValue(tree, target) : withValue(tree, target, value)
    // Messages about the file name the graph.
    if (operation === "set") origins.set(pathKey(path), origin)
  }
  return { tree, origins }
}
