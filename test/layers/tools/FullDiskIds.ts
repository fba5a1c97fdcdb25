import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { IdFile } from "../../../src/layers/tools/IdFile.ts"

// Keeps ids until the disk of the folder is full, and then opens another file. Prints the outcomes. A rejection that nothing
// handles ends the process before.
const folder = process.argv[2]!
const outcome = (work: () => Promise<unknown>): Promise<string> =>
  work().then(
    () => "kept",
    (error: Error) => `${error.constructor.name}: ${error.message}`
  )
const ids = new IdFile(join(folder, "first.mdb"), () => false)
let kept = ""
for (let commit = 1; commit < 100 && (kept === "" || kept === "kept"); commit++) {
  for (let id = 0; id < 1000; id++) ids.set(`${commit} ${id} ${"x".repeat(100)}`, id)
  kept = await outcome(() => ids.keep(commit))
}
await setImmediate()
try {
  writeFileSync(join(folder, "rest"), Buffer.alloc(2 * 1024 * 1024))
} catch {
  // Nothing is left of the disk.
}
const opened = await outcome(async () => new IdFile(join(folder, "second.mdb"), () => false))
process.stdout.write(JSON.stringify([kept, opened]))
