import { openLmdbStore } from "../../../src/storage/lmdb/OpenLmdbStore.ts"

// Opens a graph, prints the process id or the failure, and closes the graph at the end of its standard input.
const [directory, mode] = process.argv.slice(2) as [string, "main" | "replica"]
try {
  const store = await openLmdbStore({ directory, sync: "durable", readOnly: mode === "replica" })
  process.stdout.write(`open ${process.pid}\n`)
  process.stdin.resume().on("end", () => void store.close())
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`)
}
