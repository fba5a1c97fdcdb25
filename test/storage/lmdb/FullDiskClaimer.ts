import { setTimeout as sleep } from "node:timers/promises"
import type { Pending } from "../../../src/scheduling/Pending.ts"
import { StoreClaims } from "../../../src/storage/janusgraph/ids/StoreClaims.ts"
import { openLmdbStore } from "../../../src/storage/lmdb/OpenLmdbStore.ts"

const outcomeOf = (later: Pending): Promise<string> =>
  new Promise((resolve) => later.onDone((error) => resolve(error === undefined ? "committed" : error.constructor.name)))

/**
 * Makes growing long commits until the disk is full, with claims of ids during each of them, then smaller commits.
 * Prints the outcomes, the claimed blocks, and the failures that have stopped writes.
 */
const main = async (directory: string): Promise<void> => {
  const failures: Array<string> = []
  const onFailure = ({ message }: Error): void => void failures.push(message)
  const store = await openLmdbStore({ directory, sync: "none", readOnly: false, onFailure })
  const claims = new StoreClaims(store, "test", 5, 10)
  const blocks: Array<number> = []
  const refused: Array<string> = []
  const claim = (): void => {
    try {
      blocks.push(claims.claimNow!("vertex").first)
    } catch (error) {
      refused.push((error as Error).constructor.name)
    }
  }
  const long: Array<string> = []
  for (let rows = 50; rows < 5000 && !long.some((outcome) => outcome !== "committed"); rows *= 2) {
    let isOpen = false
    let ended = false
    const outcome = outcomeOf(
      store.commitLong(function* (batch) {
        isOpen = true
        for (let row = 0; row < rows; row++) {
          batch.change("edgestore", Buffer.from(`${rows} ${row}`), [
            { column: Buffer.from("a"), value: Buffer.alloc(1000, row) }
          ])
          yield
        }
      })
    ).then((outcome) => {
      long.push(outcome)
      ended = true
    })
    while (!isOpen) await sleep(0)
    for (; !ended; await sleep(0)) claim()
    await outcome
  }
  claim()
  const small = await outcomeOf(
    store.commit((batch) =>
      batch.change("edgestore", Buffer.from("small"), [{ column: Buffer.from("a"), value: null }])
    )
  )
  claim()
  await store.close()
  const again = await openLmdbStore({ directory, sync: "none", readOnly: false })
  const next = new StoreClaims(again, "test", 5, 10).claimNow!("vertex").first
  await again.close()
  process.stdout.write(JSON.stringify({ long, small, blocks, refused, next, failures }))
}

await main(process.argv[2]!)
