import { exactBulk } from "../../../structure/numbers/Bulks.ts"
import { beginningOf } from "../../../structure/texts/Text.ts"
import { ClosureTraverser } from "../../language/Closure.ts"
import { TraversalError } from "../../language/Errors.ts"
import { pathOf } from "../../machine/Paths.ts"
import type { Activation } from "../../plan/Activation.ts"
import type { Batch } from "../../plan/Batch.ts"

/** Methods of a traverser in a closure, by name: the number of arguments, and the value. */
const methods: Readonly<Record<string, (row: RowTraverser, args: readonly unknown[]) => unknown>> = {
  get: (row) => row.get(),
  bulk: (row) => BigInt(exactBulk(row.batch.bulkOf(row.row))),
  loops: (row, [name]) => row.loops(name),
  path: (row, args) => row.path(args),
  sack: (row, args) => row.sack(args),
  sideEffects: (row, args) => row.sideEffects(args)
}

/** Longest text of a traverser: that of a string of a script. */
const MAX_TEXT_CHARS = 1_048_576

/** One row of a batch as a traverser. It is valid during the call of the closure. */
export class RowTraverser extends ClosureTraverser {
  readonly batch: Batch
  readonly row: number
  readonly activation: Activation
  readonly keepsObject: boolean
  #isOver = false

  constructor(batch: Batch, row: number, activation: Activation, keepsObject: boolean) {
    super()
    this.batch = batch
    this.row = row
    this.activation = activation
    this.keepsObject = keepsObject
  }

  /** Ends the call of the closure: the batch gets other rows, so a traverser that the closure kept must not read it. */
  end(): void {
    this.#isOver = true
  }

  #assertCalled(): void {
    if (!this.#isOver) return
    throw new TraversalError("The traverser is valid only during the call of its closure: keep it.get() instead.")
  }

  call(name: string, args: readonly unknown[]): unknown {
    this.#assertCalled()
    const method = Object.hasOwn(methods, name) ? methods[name] : undefined
    if (method !== undefined) return method(this, args)
    throw new TraversalError(
      `A traverser has no method ${name}() in closures; it has ${Object.keys(methods).join(", ")}. it.get() is its object.`
    )
  }

  /** As in TinkerPop, the text of its object. */
  override toString(): string {
    return beginningOf(this.get(), MAX_TEXT_CHARS)
  }

  get(): unknown {
    this.#assertCalled()
    return this.batch.value(this.row, this.activation.transaction)
  }

  loops(name: unknown): number {
    if (name === undefined) return this.batch.loops?.count ?? 0
    for (let frame = this.batch.loops; frame !== null; frame = frame.outer)
      if (frame.loopName === name) return frame.count
    throw new TraversalError(`Loop name not defined: ${String(name)}`)
  }

  path([label]: readonly unknown[]): unknown {
    const path = pathOf(this.batch.path?.[this.row] ?? null, this.activation.transaction)
    if (label === undefined) return path
    const found = path.objects.filter((_, at) => path.labels[at]!.has(String(label)))
    if (found.length === 0) throw new TraversalError(`The path has no step labelled ${String(label)}.`)
    return found.length === 1 ? found[0] : found
  }

  sack(args: readonly unknown[]): unknown {
    if (args.length === 0) return this.batch.sack?.[this.row] ?? null
    throw new TraversalError(
      "A closure cannot set the sack: use the step sack(), such as sack(assign).by(constant(1))."
    )
  }

  sideEffects(args: readonly unknown[]): unknown {
    const { sideEffects } = this.activation.run
    if (args.length === 1) return sideEffects.read(String(args[0]))
    throw new TraversalError(
      "sideEffects() of a traverser takes the key of a side effect, such as it.sideEffects('x')."
    )
  }
}
