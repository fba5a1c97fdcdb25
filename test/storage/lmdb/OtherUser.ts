import { openLmdbStore } from "../../../src/storage/lmdb/OpenLmdbStore.ts"

/** The user and the group that own nothing. */
const NOBODY = 65_534

// Reads the graph in a folder as another user, if root runs the test, and writes "opened" or the error.
const [, program, directory] = process.argv
if (program?.endsWith("OtherUser.mjs") && directory !== undefined) {
  if (process.getuid?.() === 0) {
    process.setgroups?.([])
    process.setgid?.(NOBODY)
    process.setuid?.(NOBODY)
  }
  try {
    await (await openLmdbStore({ directory, sync: "none", readOnly: true })).close()
    process.stdout.write("opened")
  } catch (error) {
    process.stdout.write(String(error))
  }
}
