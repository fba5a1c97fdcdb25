import type { SharedNames } from "../../services/SharedBounds.ts"
import { ToolFailure } from "./Report.ts"

/** Graph and path of the files that this process imports. */
const running = new Set<string>()

/**
 * Takes the files of an import: two imports of one file would add its elements twice, or write into the same journal. Returns what
 * gives them back. Throws ToolFailure when another command of the server imports one of them.
 *
 * @param others what the other workers import; undefined in a server of one process
 */
export const takeFiles = (
  graph: string,
  files: ReadonlyArray<string>,
  others: SharedNames | undefined
): (() => void) => {
  const taken = new Set<string>()
  const giveBack = (): void => {
    for (const name of taken) {
      running.delete(name)
      others?.giveBack(name)
    }
  }
  for (const path of files) {
    const name = `${graph} ${path}`
    // A file that the command names twice is refused later, by its contents.
    if (taken.has(name)) continue
    const found = running.has(name) ? "elsewhere" : (others?.take(name) ?? "taken")
    if (found !== "taken") {
      giveBack()
      throw new ToolFailure(
        found === "full"
          ? "The server imports too many files at this time: try again later, or import fewer files with one command."
          : `Another command is importing ${path} into this graph: wait for its end, or leave the file out.`
      )
    }
    running.add(name)
    taken.add(name)
  }
  return giveBack
}
