import type { SharedNames } from "../../services/TakenNames.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"
import { ToolFailure } from "./Report.ts"

/** Paths of the files that this process imports. Several servers of a process may have graphs of one name. */
const running = new WeakMap<GraphStore, Set<string>>()

/**
 * Takes the files of an import: two imports of one file would add its elements twice, or write into the same journal. Returns what
 * gives them back. Throws ToolFailure when another command of the server imports one of them.
 *
 * @param others what the other workers import; undefined in a server of one process
 */
export const takeFiles = (
  graph: GraphStore,
  files: ReadonlyArray<string>,
  others: SharedNames | undefined
): (() => void) => {
  const own = running.get(graph) ?? new Set<string>()
  running.set(graph, own)
  const taken = new Set<string>()
  const nameOf = (path: string): string => `${graph.name} ${path}`
  const giveBack = (): void => {
    for (const path of taken) {
      own.delete(path)
      others?.giveBack(nameOf(path))
    }
  }
  for (const path of files) {
    // A file that the command names twice is refused later, by its contents.
    if (taken.has(path)) continue
    const found = own.has(path) ? "elsewhere" : (others?.take(nameOf(path)) ?? "taken")
    if (found !== "taken") {
      giveBack()
      throw new ToolFailure(
        found === "full"
          ? "The server imports too many files at this time: try again later, or import fewer files with one command."
          : `Another command is importing ${path} into this graph: wait for its end, or leave the file out.`
      )
    }
    own.add(path)
    taken.add(path)
  }
  return giveBack
}
