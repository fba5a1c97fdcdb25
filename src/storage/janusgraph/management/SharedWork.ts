import { setTimeout as sleep } from "node:timers/promises"
import { UnsupportedValue } from "../../../structure/errors/StoreErrors.ts"
import type { GraphCore } from "../GraphCore.ts"
import { untilDone } from "./PatientWork.ts"
import { refreshSchema } from "./SchemaChange.ts"

/** Time between two attempts to take work that another process does, in milliseconds. */
const RETRY_MS = 100

/** Work that this process does, and no other process of the server. */
interface TakenWork {
  /** True when another process has done this work, or a part of it, since the call. */
  readonly hasWaited: boolean
  /** Ends the work of this process. `failure`: why it failed, for the other processes. */
  readonly release: (failure?: string) => void
}

/** Another process of the server has done the work, and it failed. That process has reported it. */
export class FailedElsewhere extends UnsupportedValue {}

const alone: TakenWork = { hasWaited: false, release: () => undefined }

/**
 * Takes work that only one process of a server does at a time, such as the build of an index. Waits while another process does it, then
 * reads the schema, which that process may have changed. A process that ends gives its work to the next one. Undefined when the graph was
 * closed meanwhile.
 *
 * @param follows true while this process only continues the work of another one: fails with FailedElsewhere when the work of that
 *   one has failed
 */
export const takeWork = async (
  core: GraphCore,
  name: string,
  follows: () => boolean = () => false
): Promise<TakenWork | undefined> => {
  const { work } = core.cells
  if (work === undefined) return alone
  for (let hasWaited = false; ; ) {
    if (core.fault?.isClosed) return undefined
    const taking = work.take(name, follows())
    if (taking === "elsewhere" || taking === "busy") {
      hasWaited ||= taking === "elsewhere"
      // The timer keeps the process running: a start waits here before the server has any socket.
      await sleep(RETRY_MS)
      continue
    }
    if ("failure" in taking) throw new FailedElsewhere(taking.failure)
    const { release } = taking
    try {
      await untilDone(core, () => refreshSchema(core))
      return { hasWaited, release }
    } catch (error) {
      release()
      throw error
    }
  }
}
