import { bytesOf, holderOf, thoroughBytesOf } from "../../../structure/memory/HeldBytes.ts"

/** Approximate memory of the most that one item of an operation may have made: 32 characters, a member of a map, or a part of a call. */
const WORK_BYTES = 128
/** Approximate memory of one item that a script has made: 32 characters, a member of a collection, or a small object. */
const ITEM_BYTES = 64
/** A script is measured again after it has created values of this size. */
const REMEASURED_BYTES = 262_144
/** What a script holds is measured again at its next call of the host, if it is at least this. */
const REFRESHED_BYTES = 65_536
/** A script is measured thoroughly after it has made values of this size. */
const THOROUGHLY_MEASURED_BYTES = 16 * 2 ** 20
/** Strings of at most this length count for each variable that has them. */
const SHORT_CHARS = 64

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
  /** Approximate bytes of the work since the last measurement: no operation creates more than it processes. */
  #workedBytes = 0
  #heldBytes = 0
  /** Bytes of the variables that the session counts. */
  readonly #countedBytes: number
  /** Approximate size of all values that the scripts have created. They hold at most that, and usually much less. */
  madeBytes = 0
  /** What {@link madeBytes} was when the variables were measured thoroughly. */
  #thoroughAtBytes = 0

  /** @param isKept whether later requests use the variables: then their session counts what they hold now */
  constructor(variables: ReadonlyMap<string, unknown>, isKept: boolean) {
    this.#variables = variables
    this.#countedBytes = isKept ? bytesOfAll(variables.values(), new Set()) : 0
  }

  /** Counts the items of operations, and those of the values that they have made. A comparison makes none. */
  worked(items: number, made: number): void {
    this.#workedBytes += items * WORK_BYTES
    this.madeBytes += made * ITEM_BYTES
  }

  /** Counts the results of a traversal. */
  received(values: readonly unknown[]): void {
    const bytes = bytesOf(values)
    this.#workedBytes += bytes
    this.madeBytes += bytes
  }

  /** Measures again when asked next, if much is held: the script may have released it. */
  refresh(): void {
    if (this.#heldBytes >= REFRESHED_BYTES) this.#workedBytes = REMEASURED_BYTES
  }

  /** Approximate size of the values in variables. Values that a running operation creates are not counted yet. */
  get heldBytes(): number {
    if (this.#workedBytes < REMEASURED_BYTES) return this.#heldBytes
    this.#workedBytes = 0
    if (this.madeBytes - this.#thoroughAtBytes >= THOROUGHLY_MEASURED_BYTES) {
      this.#thoroughAtBytes = this.madeBytes
      this.#heldBytes = Math.max(0, thoroughBytesOf(distinct(this.#all())) - this.#countedBytes)
      return this.#heldBytes
    }
    const counted = new Set<unknown>()
    let bytes = Math.max(0, bytesOfAll(this.#variables.values(), counted) - this.#countedBytes)
    for (const { values } of this.open) bytes += bytesOfAll(values, counted)
    this.#heldBytes = bytes
    return bytes
  }

  /** The values of all variables. */
  *#all(): Generator<unknown> {
    yield* this.#variables.values()
    for (const { values } of this.open) yield* values
  }
}

/** Values, each collection and each long string once. */
function* distinct(values: Iterable<unknown>): Generator<unknown> {
  const seen = new Set<unknown>()
  for (const each of values) {
    const value = holderOf(each)
    if (!isShared(value)) yield value
    else if (!seen.has(value)) {
      seen.add(value)
      yield value
    }
  }
}

/** True for a value that counts once, however many variables have it. */
const isShared = (value: unknown): boolean =>
  (typeof value === "object" && value !== null) || (typeof value === "string" && value.length > SHORT_CHARS)

/** The size of values. A collection or a string that several variables have counts once. */
const bytesOfAll = (values: Iterable<unknown>, counted: Set<unknown>): number => {
  let bytes = 0
  for (const each of values) {
    const value = holderOf(each)
    if (isShared(value)) {
      if (counted.has(value)) continue
      counted.add(value)
    }
    bytes += bytesOf(value)
  }
  return bytes
}
