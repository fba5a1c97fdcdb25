import type { Origin } from "../../services/GraphSettings.ts"

/** Settings as plain data, as in a parsed YAML file. */
export type Tree = string | number | boolean | bigint | null | ReadonlyArray<Tree> | { readonly [key: string]: Tree }

/** Keys and list positions from the top to a value. */
export type Path = ReadonlyArray<string | number>

/** A tree with the origins of its values. */
export interface Sourced {
  readonly tree: Tree
  /** By {@link pathKey}. A path without an entry has the origin of its parent. */
  readonly origins: ReadonlyMap<string, Origin>
}

/** True for a map. Only own properties count, so that `__proto__` and `constructor` are ordinary keys. */
export const isMap = (tree: Tree | undefined): tree is { readonly [key: string]: Tree } =>
  typeof tree === "object" && tree !== null && !Array.isArray(tree)

/** A path as text, for messages and overrides: `graphs["my.graph"].configuration`, `serializers[0]`. */
export const pathKey = (path: Path): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`
    if (/[.[\]"]/.test(part)) return `${text}["${part}"]`
    return text === "" ? part : `${text}.${part}`
  }, "")

/** The value at a path; undefined when there is none. */
export const valueAt = (tree: Tree, path: Path): Tree | undefined => {
  let value: Tree | undefined = tree
  for (const part of path) {
    if (Array.isArray(value) && typeof part === "number") value = value[part]
    else if (isMap(value) && Object.hasOwn(value, part)) value = value[part]
    else return undefined
  }
  return value
}

/** The origin of the value at a path, or of its nearest ancestor with one. */
export const originAt = (origins: ReadonlyMap<string, Origin>, path: Path): Origin | undefined => {
  for (let length = path.length; length > 0; length--) {
    const origin = origins.get(pathKey(path.slice(0, length)))
    if (origin !== undefined) return origin
  }
  return undefined
}

const mapOf = (entries: Iterable<readonly [string, Tree]>): Tree => Object.fromEntries(entries)

/** The tree with a value at a path. Missing maps are created. */
export const withValue = (tree: Tree | undefined, path: Path, value: Tree): Tree => {
  const [part, ...rest] = path
  if (part === undefined) return value
  if (typeof part === "number") {
    const list = Array.isArray(tree) ? [...tree] : []
    list[Math.min(part, list.length)] = withValue(list[part], rest, value)
    return list
  }
  const entries = new Map(isMap(tree) ? Object.entries(tree) : [])
  entries.set(part, withValue(entries.get(part), rest, value))
  return mapOf(entries)
}

/** The tree without the value at a path. */
export const withoutValue = (tree: Tree, path: Path): Tree => {
  const [part, ...rest] = path
  if (part === undefined) return tree
  if (Array.isArray(tree) && typeof part === "number") {
    return rest.length === 0
      ? tree.filter((_, index) => index !== part)
      : tree.map((child: Tree, index) => (index === part ? withoutValue(child, rest) : child))
  }
  if (!isMap(tree) || typeof part === "number" || !Object.hasOwn(tree, part)) return tree
  const entries = new Map(Object.entries(tree))
  if (rest.length === 0) entries.delete(part)
  else entries.set(part, withoutValue(entries.get(part) ?? null, rest))
  return mapOf(entries)
}
