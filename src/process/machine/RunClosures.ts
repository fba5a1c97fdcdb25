import type { EnumValue } from "../../structure/scalars/Enums.ts"
import { Closure, ClosureSource } from "../language/Closure.ts"
import { ClosureParameter } from "../language/ClosureParameter.ts"
import { LambdaNotSupported } from "../language/Errors.ts"
import type { Compiled, SackSpec } from "../plan/Prepared.ts"
import type { ClosureAccess, Run } from "../plan/Run.ts"

/** Milliseconds in which closures of the source run before others do. */
const FIRST_SLICE_MS = 2

/** The closures of one run. */
export class RunClosures implements ClosureAccess {
  readonly #sack: SackSpec | null
  readonly #run: Run

  constructor({ callsClosures, sack }: Compiled, run: Run) {
    this.#sack = sack
    this.#run = run
    // Closures of the source are called before the run has its first slice.
    if (callsClosures) run.slice.restart(performance.now() + FIRST_SLICE_MS)
  }

  of(given: ClosureSource): Closure {
    const source = given instanceof ClosureParameter ? given.closureIn(this.#run) : given
    if (source instanceof Closure) return source
    const { binder, slice } = this.#run
    if (binder !== undefined) return this.#run.sharedBy(source, () => binder.bind(source, slice))
    throw new LambdaNotSupported("A closure runs only in the request whose script contains it.")
  }

  /** What merges the sacks of equal traversers; see {@link Run.sackMerge}. */
  get sackMerge(): EnumValue | Closure | null {
    const merge = this.#sack?.merge ?? null
    return merge instanceof ClosureSource ? this.of(merge) : merge
  }

  get givesSacks(): boolean {
    return this.#sack?.initial instanceof ClosureSource
  }

  get sackSplitter(): Closure | null {
    const splitter = this.#sack?.splitter ?? null
    return splitter === null ? null : this.of(splitter)
  }
}
