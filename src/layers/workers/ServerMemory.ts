import { closeSync } from "node:fs"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { RequestRecords } from "../../services/RequestRecords.ts"
import type { SharedState } from "../../services/SharedState.ts"
import type { SharedWrites } from "../../structure/graph/SharedWrites.ts"
import { MAX_WORKERS } from "./RegionLayout.ts"
import { SharedMemoryUnavailable } from "./SharedMemory.ts"
import { attachRegion, makeRegion } from "./SharedRegion.ts"
import { assign, reclaim } from "./Slots.ts"
import { workerBounds } from "./WorkerBounds.ts"
import { readRecords, type WorkerReading, workerRecords } from "./WorkerRecords.ts"
import { endHeld, WriteTable } from "./WriteTable.ts"

/** The descriptor of the shared memory in a worker: the first one after those of input, output, errors and the channel. */
const DESCRIPTOR = 4

/** The shared memory of a server as its primary process has it. Workers have numbers from 1 on. */
export interface ServerMemory {
  /** The option `stdio` of fork(), which passes the memory to a worker. Throws SharedMemoryUnavailable if there is no slot. */
  readonly stdio: (number: number) => Array<"inherit" | "ipc" | number>
  /** A process has become a worker. */
  readonly began: (number: number, pid: number) => void
  /**
   * The process of a worker has ended. What it held is free again, and others may pass its writes when these can no longer arrive.
   * Returns what it was doing. `isOrderly`: it has closed its graphs, and so has told the others all that it has written.
   */
  readonly ended: (number: number, isOrderly: boolean) => WorkerReading
  /** What a worker is doing. */
  readonly reading: (number: number) => WorkerReading
}

/** @throws SharedMemoryUnavailable */
const assertNumber = (number: number): void => {
  if (number <= MAX_WORKERS) return
  throw new SharedMemoryUnavailable({
    reason:
      `A server has at most ${MAX_WORKERS} worker processes, including those that still answer requests after a reload. ` +
      "Wait until some of them have ended."
  })
}

/** Makes the shared memory of a server. The primary process has it until the scope closes. */
export const serverMemory = (workers: number): Effect.Effect<ServerMemory, SharedMemoryUnavailable, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.tryPromise({ try: () => makeRegion(workers), catch: (error) => error as SharedMemoryUnavailable }),
      ({ descriptor, region }) =>
        Effect.sync(() => {
          region.close()
          closeSync(descriptor)
        })
    ),
    ({ descriptor, region }) => ({
      stdio: (number) => {
        assertNumber(number)
        return ["inherit", "inherit", "inherit", "ipc", descriptor]
      },
      began: (number, pid) => assign(region, number - 1, pid),
      ended: (number, isOrderly) => {
        const reading = readRecords(region, number - 1)
        const writes = reclaim(region, number - 1)
        const mayArrive = writes.ms > 0 && (!isOrderly || writes.entries.length > 0)
        if (mayArrive) setTimeout(() => endHeld(region, writes), writes.ms).unref()
        return reading
      },
      reading: (number) => readRecords(region, number - 1)
    })
  )

/** What the parts of a worker have of the shared memory. */
interface JoinedMemory {
  readonly bounds: typeof SharedState.Service
  readonly records: typeof RequestRecords.Service
  readonly writes: SharedWrites
}

/** Attaches this worker to the shared memory of its server, until the scope closes. */
export const joinServerMemory = (number: number): Effect.Effect<JoinedMemory, SharedMemoryUnavailable, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.tryPromise({ try: () => attachRegion(DESCRIPTOR), catch: (error) => error as SharedMemoryUnavailable }),
      (region) => Effect.sync(() => region.close())
    ),
    (region) => ({
      bounds: workerBounds(region, number - 1),
      records: workerRecords(region, number - 1),
      writes: new WriteTable(region, number - 1)
    })
  )
