import type { RefScan } from "../../structure/graph/GraphReads.ts"
import type { Run } from "./Run.ts"

/**
 * The scans that the steps of a run have opened and not closed. A run may end before its steps, for example at an error. It then closes
 * them, because they hold memory of the transaction and searches of an engine, and the transaction may go on.
 */
export class OpenScans {
  readonly #open = new Set<RefScan>()

  /** The open scans of a run. */
  static of(run: Run): OpenScans {
    return run.sharedBy(OpenScans, () => {
      const scans = new OpenScans()
      run.onClose(() => scans.#closeAll())
      return scans
    })
  }

  /** Notes a scan that was opened, and returns it. */
  opened(scan: RefScan): RefScan {
    this.#open.add(scan)
    return scan
  }

  /** Closes a scan. */
  close(scan: RefScan): void {
    this.#open.delete(scan)
    scan.close()
  }

  #closeAll(): void {
    for (const scan of this.#open) scan.close()
    this.#open.clear()
  }
}
