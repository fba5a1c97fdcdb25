import { bytesOf } from "../../structure/HeldBytes.ts"

/** Approximate memory of one item of an operation: 32 characters, a member of a map, or a part of a call. */
const ITEM_BYTES = 128
/** A script is measured again after it has created values of this size. */
const REMEASURED_BYTES = 262_144

/** A run of a body, with the values of its local variables. */
interface Locals {
  readonly values: readonly unknown[]
}

/** The approximate memory that the scripts of one request hold in variables. */
export class ScriptMemory {
  /** Runs of bodies that have not ended. */
  readonly open = new Set<Locals>()
  /** The variables without a declaration. */
  readonly #variables: ReadonlyMap<string, unknown>
  /** Whether the session of the request counts the variables as they were at its beginning. */
  readonly #isKept: boolean
  #items = 0
  #measuredItems = 0
  #heldBytes = 0
  /** Bytes of the variables that the session counts. */
  #countedBytes: number | undefined

  /** @param isKept whether later requests use the variables */
  constructor(variables: ReadonlyMap<string, unknown>, isKept: boolean) {
    this.#variables = variables
    this.#isKept = isKept
  }

  /** Counts the items of operations. */
  made(items: number): void {
    this.#items += items
  }

  /** Approximate size of all values that the scripts have created. They hold at most that, and usually much less. */
  get madeBytes(): number {
    return this.#items * ITEM_BYTES
  }

  /** Approximate size of the values in variables. Values that a running operation creates are not counted yet. */
  get heldBytes(): number {
    if ((this.#items - this.#measuredItems) * ITEM_BYTES < REMEASURED_BYTES) return this.#heldBytes
    this.#measuredItems = this.#items
    let bytes = 0
    for (const value of this.#variables.values()) bytes += bytesOf(value)
    if (this.#isKept) {
      this.#countedBytes ??= bytes
      bytes = Math.max(0, bytes - this.#countedBytes)
    }
    for (const { values } of this.open) for (const value of values) bytes += bytesOf(value)
    this.#heldBytes = bytes
    return bytes
  }
}
