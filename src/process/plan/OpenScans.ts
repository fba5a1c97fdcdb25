import type { RefScan } from "../../structure/graph/GraphReads.ts"
import type { Run } from "./Run.ts"

/** The scan of a step. */
export interface StepScan {
  scan: RefScan | undefined
  /** Whether {@link OpenScans} has it. */
  isNoted: boolean
}

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

  /**
   * Notes the scan of a step as open. A look-up mostly has all its rows in the first piece, and is not worth a note before more are
   * known, unless it is fetched.
   */
  static note(run: Run, state: StepScan): void {
    if (state.isNoted || state.scan === undefined) return
    OpenScans.of(run).opened(state.scan)
    state.isNoted = true
  }

  /** Closes the scan of a step, if it has one. */
  static closeOf(run: Run, state: StepScan): void {
    const { isNoted, scan } = state
    state.scan = undefined
    state.isNoted = false
    if (scan === undefined) return
    if (isNoted) OpenScans.of(run).close(scan)
    else scan.close()
  }

  #closeAll(): void {
    for (const scan of this.#open) scan.close()
    this.#open.clear()
  }
}
