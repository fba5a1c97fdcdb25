import { anything, anyValue, Kind } from "./Kinds.ts"

/** One form of a call: the kinds of its arguments. */
export interface Signature {
  /** The text for error messages: `string, value...`. */
  readonly text: string
  /** For each argument the mask of the kinds that it accepts. */
  readonly accepts: readonly number[]
  /** For each argument the mask of the enumerations whose constants need no prefix there. */
  readonly shorts: readonly number[]
  /** Mask of the kinds of further arguments, of any number; 0 for none. */
  readonly rest: number
}

/** A step, a method of sources or a predicate, for the parser of scripts and the check of plans. */
export interface CallSpec {
  readonly name: string
  /** The operator in Bytecode of a call with arguments, and of one without. */
  readonly operator: string
  readonly emptyOperator: string
  readonly signatures: readonly Signature[]
  /** The state before the first argument. */
  readonly start: CallState
  /** How many arguments a closure of the call takes; undefined if the call takes no closure. */
  readonly closure: ClosureArity | undefined
}

/**
 * The arguments of a closure: one, the traverser or its object; two values of which it makes one; one or two, for a comparator;
 * or none, one or two.
 */
export type ClosureArity = "one" | "two" | "one or two" | "any"

/** Terms of the notation below: kinds, and the enumeration that may be written short. */
const terms: { readonly [term: string]: readonly [accepts: number, shorts: number] } = {
  string: [Kind.string, 0],
  int: [Kind.integer, 0],
  number: [Kind.integer | Kind.decimal, 0],
  boolean: [Kind.boolean, 0],
  value: [anyValue, 0],
  map: [Kind.map, 0],
  traversal: [Kind.traversal, 0],
  predicate: [Kind.predicate, 0],
  date: [Kind.date, 0],
  vertex: [Kind.element, 0],
  closure: [Kind.closure, 0]
}

const readTerm = (text: string): readonly [accepts: number, shorts: number] => {
  let accepts: number = Kind.variable
  let shorts = 0
  for (const term of text.split("|")) {
    const name = term.replace("?", "")
    if (name !== term) accepts |= Kind.null
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
  renamed: {
    readonly [name: string]: {
      readonly operator?: string
      readonly emptyOperator?: string
      readonly closure?: ClosureArity
    }
  } = {}
): ReadonlyMap<string, CallSpec> => {
  const table = new Map<string, CallSpec>()
  for (const [name, texts] of Object.entries(notation)) {
    const signatures = texts.map(readSignature)
    const operator = renamed[name]?.operator ?? name
    const emptyOperator = renamed[name]?.emptyOperator ?? operator
    const closure = renamed[name]?.closure
    table.set(name, { name, operator, emptyOperator, signatures, start: new CallState(signatures, 0), closure })
  }
  return table
}

/**
 * The state of reading the arguments of a call: the signatures that are still possible. The states of a call form an automaton,
 * which is built as scripts need it, so that checking an argument is one look-up.
 */
export class CallState {
  readonly #signatures: readonly Signature[]
  readonly #at: number
  readonly #next: Array<CallState | null | undefined> = new Array(32).fill(undefined)
  /** Mask of the kinds of the next argument; 0 when no argument may follow. */
  readonly accepts: number
  /** Mask of the enumerations whose constants need no prefix in the next argument. */
  readonly shorts: number
  /** True when the call may end here. */
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

  /** The state after an argument of this kind (one bit); null when no signature accepts it. */
  after(kind: number): CallState | null {
    const bit = 31 - Math.clz32(kind)
    const next = this.#next[bit]
    return next === undefined ? this.#make(kind, bit) : next
  }

  /** The state after `*list`, whose length is known only when the script runs: any arguments may follow. */
  afterSpread(): CallState {
    return new CallState([{ text: "", accepts: [], shorts: [], rest: anything }], 0)
  }

  #make(kind: number, bit: number): CallState | null {
    const left = this.#signatures.filter((signature) => (acceptedAt(signature, this.#at) & kind) !== 0)
    const same = left.length === this.#signatures.length && left.every(({ accepts }) => accepts.length <= this.#at)
    // After the listed arguments, every further one leads to the same state.
    const next = left.length === 0 ? null : same ? this : new CallState(left, this.#at + 1)
    this.#next[bit] = next
    return next
  }
}

/** The mask of the kinds that a signature accepts as its argument at a position; 0 for none. */
export const acceptedAt = (signature: Signature, at: number): number => signature.accepts[at] ?? signature.rest

/** The forms of a call, for error messages: `has(string) or has(string, value)`. */
export const usage = (spec: CallSpec): string =>
  spec.signatures.map((signature) => `${spec.name}(${signature.text})`).join(" or ")
