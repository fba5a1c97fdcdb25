import { anyValue, Kind } from "./Kinds.ts"

/** One way to call a step: what each argument may be. */
export interface Signature {
  /** As error messages show it: `string, value...`. */
  readonly text: string
  /** For each argument the kinds it takes. */
  readonly accepts: readonly number[]
  /** For each argument the enumerations whose constants may stand there without their prefix. */
  readonly shorts: readonly number[]
  /** Kinds of any number of further arguments; 0 for none. */
  readonly rest: number
}

/** A step, source method or predicate as the parser knows it. */
export interface CallSpec {
  readonly name: string
  /** The operator in Bytecode when called with arguments, and without any. */
  readonly operator: string
  readonly emptyOperator: string
  readonly signatures: readonly Signature[]
  /** Before the first argument. */
  readonly start: CallState
}

/** Terms of the notation below: kinds, and the enumeration that may be written short. */
const terms: { readonly [term: string]: readonly [accepts: number, shorts: number] } = {
  string: [Kind.string, 0],
  "string?": [Kind.string | Kind.null, 0],
  int: [Kind.integer, 0],
  number: [Kind.integer | Kind.decimal, 0],
  boolean: [Kind.boolean, 0],
  value: [anyValue, 0],
  map: [Kind.map, 0],
  "map?": [Kind.map | Kind.null, 0],
  traversal: [Kind.traversal, 0],
  predicate: [Kind.predicate, 0],
  date: [Kind.date, 0],
  vertex: [Kind.element, 0]
}

const readTerm = (text: string): readonly [accepts: number, shorts: number] => {
  let accepts: number = Kind.variable
  let shorts = 0
  for (const name of text.split("|")) {
    const known = terms[name]
    const kind = Kind[name as keyof typeof Kind]
    accepts |= known === undefined ? kind : known[0]
    shorts |= known === undefined ? kind : known[1]
  }
  return [accepts, shorts]
}

/**
 * Reads the notation of the tables: arguments separated by spaces, alternatives by `|`, `?` = may be null, a last
 * argument with `*` = any number of these. A name with a capital is an enumeration. A variable may stand for each.
 */
const readSignature = (notation: string): Signature => {
  const accepts: Array<number> = []
  const shorts: Array<number> = []
  let rest = 0
  for (const word of notation.split(" ")) {
    if (word.endsWith("*")) rest = readTerm(word.slice(0, -1))[0]
    else if (word !== "") {
      const [accept, short] = readTerm(word)
      accepts.push(accept)
      shorts.push(short)
    }
  }
  const text = notation.replaceAll(" ", ", ").replaceAll("?", "").replaceAll("*", "...").replaceAll("|", " or ")
  return { text, accepts, shorts, rest }
}

/** A table of calls from the notation of {@link readSignature}: name -> its signatures. */
export const callTable = (
  notation: { readonly [name: string]: readonly string[] },
  renamed: { readonly [name: string]: { readonly operator?: string; readonly emptyOperator?: string } } = {}
): ReadonlyMap<string, CallSpec> => {
  const table = new Map<string, CallSpec>()
  for (const [name, texts] of Object.entries(notation)) {
    const signatures = texts.map(readSignature)
    const operator = renamed[name]?.operator ?? name
    const emptyOperator = renamed[name]?.emptyOperator ?? operator
    table.set(name, { name, operator, emptyOperator, signatures, start: new CallState(signatures, 0) })
  }
  return table
}

/**
 * How far the arguments of a call have been read: which signatures are still possible. One automaton for each call,
 * made as far as scripts need it, so that checking an argument is one look-up.
 */
export class CallState {
  readonly #signatures: readonly Signature[]
  readonly #at: number
  readonly #next: Array<CallState | null | undefined> = new Array(32).fill(undefined)
  /** Kinds that the next argument may have; 0 when there may be none. */
  readonly accepts: number
  /** Enumerations whose constants the next argument may name without prefix. */
  readonly shorts: number
  /** True when the arguments so far are enough. */
  readonly complete: boolean

  constructor(signatures: readonly Signature[], at: number) {
    this.#signatures = signatures
    this.#at = at
    let accepts = 0
    let shorts = 0
    for (const signature of signatures) {
      accepts |= acceptedAt(signature, at)
      shorts |= signature.shorts[at] ?? 0
    }
    this.accepts = accepts
    this.shorts = shorts
    this.complete = signatures.some((signature) => signature.accepts.length <= at)
  }

  /** The state behind an argument of this kind (one bit), or null when no signature takes it. */
  after(kind: number): CallState | null {
    const bit = 31 - Math.clz32(kind)
    const next = this.#next[bit]
    return next === undefined ? this.#make(kind, bit) : next
  }

  #make(kind: number, bit: number): CallState | null {
    const left = this.#signatures.filter((signature) => (acceptedAt(signature, this.#at) & kind) !== 0)
    const same = left.length === this.#signatures.length && left.every(({ accepts }) => accepts.length <= this.#at)
    // Behind the named arguments every further one is like the last.
    const next = left.length === 0 ? null : same ? this : new CallState(left, this.#at + 1)
    this.#next[bit] = next
    return next
  }
}

const acceptedAt = (signature: Signature, at: number): number => signature.accepts[at] ?? signature.rest

/** `has(string) or has(string, value)`: how the call may be written. */
export const usage = (spec: CallSpec): string =>
  spec.signatures.map((signature) => `${spec.name}(${signature.text})`).join(" or ")
