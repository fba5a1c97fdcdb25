import type { Tree } from "../../structure/collections/Tree.ts"
import type { Path } from "../../structure/elements/Path.ts"
import type { SubGraph } from "../../structure/elements/SubGraph.ts"
import { quoted } from "../json/JsonText.ts"

// The types of GraphSON 2 and 3 that consist of elements: paths, trees and graphs.

/** A writer of GraphSON 2 or 3, as these types need it. */
export interface StructureForms {
  /** The JSON of a value. */
  value(value: unknown): string
  /** The JSON of several values, with commas between them. */
  all(values: readonly unknown[]): string
  /** The JSON of the entries of a collection, with commas between them. */
  entries<A>(collection: Iterable<A> & object, size: number, write: (entry: A) => string): string
  /** The JSON of a list. */
  list(values: readonly unknown[]): string
  /** The JSON of a set with these members, which have commas between them. */
  setOf(members: string): string
  /** The JSON of a scalar with its type. */
  scalar(type: string, json: string): string
  readonly listOpen: string
  readonly listClose: string
}

/** The JSON of a path: a set of labels for each of its objects. */
export const pathJson = (forms: StructureForms, { labels, objects }: Path): string => {
  const sets = forms.entries(labels, labels.length, (names) => forms.setOf(Array.from(names, quoted).join(",")))
  const labelSets = forms.listOpen + sets + forms.listClose
  return forms.scalar("g:Path", `{"labels":${labelSets},"objects":${forms.list(objects)}}`)
}

/** The JSON of a tree: its keys, each with the tree below it. */
export const treeJson = (forms: StructureForms, { children }: Tree): string => {
  const json = forms.entries(
    children,
    children.size,
    ([key, child]) => `{"key":${forms.value(key)},"value":${forms.value(child)}}`
  )
  return forms.scalar("g:Tree", `[${json}]`)
}

/** The JSON of the result of subgraph(). */
export const graphJson = (forms: StructureForms, { edges, vertices }: SubGraph): string =>
  forms.scalar("tinker:graph", `{"vertices":[${forms.all(vertices)}],"edges":[${forms.all(edges)}]}`)
