import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { setImmediate as turn } from "node:timers/promises"
import { announceOpening } from "../../../src/storage/lmdb/Opening.ts"
import { pidState } from "../../../src/storage/shared/ProcessIdentity.ts"

/** Creates the file that has the id of the process which opens the files. Fails if another process opens them. */
const enter = (path: string): void => {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" })
  } catch (error) {
    const other = Number(readFileSync(path, "utf8"))
    if (pidState(other) !== "ended") throw error
    // The other process was killed.
    writeFileSync(path, String(process.pid))
  }
}

/**
 * Announces openings of a folder until the process is killed, and prints a line for each. Fails if another process has announced one
 * at the same time.
 */
const main = async (directory: string): Promise<void> => {
  const path = `${directory}/inside`
  for (let count = 0; ; count++) {
    const ended = await announceOpening(directory, undefined)
    enter(path)
    if (count % 10 === 0) await turn()
    rmSync(path)
    ended()
    process.stdout.write("opening\n")
    if (count % 3 === 0) await turn()
  }
}

await main(process.argv[2]!)
