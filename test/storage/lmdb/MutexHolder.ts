import { openLmdbStore } from "../../../src/storage/lmdb/OpenLmdbStore.ts"
import { settled } from "../Completion.ts"

/**
 * Commits a row, then stays inside a long commit until a line arrives at standard input: `end` completes the commit,
 * `next` completes it and begins another one, `exit` ends the process with status 3, `throw` ends it with an exception. Prints `open` when the commit has begun.
 */
const main = async (directory: string): Promise<void> => {
  const store = await openLmdbStore({ directory, sync: "durable", readOnly: false, server: "one" })
  const put = (key: string) => [Buffer.from(key), [{ column: Buffer.from("a"), value: Buffer.from("b") }]] as const
  await settled(store.commit((batch) => batch.change("edgestore", ...put("answered"))))
  let command = ""
  process.stdin.on("data", (data) => {
    command = String(data).trim()
    if (command === "exit") process.exit(3)
    if (command === "throw") throw new Error("an exception that nothing handles")
  })
  do {
    command = ""
    await settled(
      store.commitLong(function* (batch) {
        process.stdout.write("open\n")
        batch.change("edgestore", ...put("long"))
        while (command === "") yield
      })
    )
  } while (command === "next")
  process.stdin.destroy()
  await store.close()
}

await main(process.argv[2]!)
