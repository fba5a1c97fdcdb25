import type { HostAnswer } from "../../gremlin/HostCall.ts"
import { HostObject } from "../../gremlin/ScriptObjects.ts"
import { TraversalError } from "../../process/language/Errors.ts"
import { Pending } from "../../scheduling/Pending.ts"
import type { GraphAccess } from "../../services/Authorizer.ts"
import { HostConstant } from "../../structure/collections/HostConstant.ts"
import { isNumber } from "../../structure/numbers/Numbers.ts"
import { ClassName } from "../../structure/scalars/ClassNames.ts"
import { EnumValue } from "../../structure/scalars/Enums.ts"
import { text } from "../../structure/texts/Text.ts"
import { typeName } from "../../structure/texts/TypeNames.ts"

/** Records a change, such as `the schema of the graph 'g'`, that stays committed even if the request fails later. */
export type Keeps = (what: string) => void

/**
 * The result of a method that commits. The script waits for it even if the request ends early, until it is done or
 * `goesOn` is called. After that the rest continues in the background, and a request that ends does not wait for it.
 */
export class Committing {
  readonly run: (keeps: Keeps, goesOn: () => void) => Promise<unknown>
  constructor(run: (keeps: Keeps, goesOn: () => void) => Promise<unknown>) {
    this.run = run
  }
}

/** The result of a method that waits in parts, so that nothing goes on when its request has ended. */
export class Waiting {
  readonly answer: HostAnswer
  constructor(answer: HostAnswer) {
    this.answer = answer
  }
}

/** A method of an object: it returns a value, a promise of one, {@link Committing} or {@link Waiting}. */
export type Method = (args: ReadonlyArray<unknown>) => unknown

/** An object of the server that a script can use: a closed list of methods. */
export class ScriptObject {
  /** Its type, for messages and `==>`. */
  readonly type: string
  /** The name of its graph. */
  readonly graph: string
  /** The type, index or builder that it represents. */
  readonly subject: unknown
  /** What a call of a method does to the graph. */
  readonly access: GraphAccess = "management"
  readonly #methods: Readonly<Record<string, Method>>
  readonly #words: string
  /** The name that the script has given to the type or the index; null before that. */
  #newName: string | null = null

  constructor(
    type: string,
    graph: string,
    subject: unknown,
    methods: Readonly<Record<string, Method>>,
    words: string = type
  ) {
    this.type = type
    this.graph = graph
    this.subject = subject
    this.#methods = methods
    this.#words = words
  }

  /** The object as a value of scripts. */
  get host(): HostObject {
    return new HostObject(this.type, new Set(Object.keys(this.#methods)), this)
  }

  /** Calls a method. Throws TraversalError when there is none of that name. */
  call(name: string, args: ReadonlyArray<unknown>, keeps: Keeps): HostAnswer {
    const method = Object.hasOwn(this.#methods, name) ? this.#methods[name] : undefined
    if (method === undefined) throw new TraversalError(`A ${this.type} has no method ${name}().`)
    if (this.#newName !== null && (name === "name" || name === "toString")) return { value: this.#newName }
    return answerOf(method(args), keeps)
  }

  /** Shows the type or the index with its new name, as JanusGraph does before the commit. */
  rename(name: string): void {
    this.#newName = name
  }

  toString(): string {
    return this.#newName ?? this.#words
  }
}

const shown = (value: unknown): unknown => {
  if (value instanceof ScriptObject) return value.host
  return Array.isArray(value) ? value.map(shown) : value
}

/** Converts the result of a method into an answer for the interpreter. */
export const answerOf = (value: unknown, keeps: Keeps): HostAnswer => {
  if (value instanceof Committing) return answerOfCommit(value, keeps)
  if (value instanceof Waiting) return value.answer
  if (!(value instanceof Promise)) return { value: shown(value) }
  let found: unknown
  const later = Pending.fromPromise(
    value.then((result: unknown) => {
      found = shown(result)
    })
  )
  return { later, value: () => found }
}

const answerOfCommit = ({ run }: Committing, keeps: Keeps): HostAnswer => {
  let found: unknown
  let isDone = false
  let goOn: () => void = () => undefined
  const goesOn = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const whole = run(keeps, goOn).then((result) => {
    found = shown(result)
    isDone = true
  })
  return {
    later: Pending.asCommit(Pending.fromPromise(Promise.race([whole, goesOn]))),
    value: () => found,
    rest: () => (isDone ? undefined : Pending.fromPromise(whole))
  }
}

// Arguments

/** The subject of an argument that is a script object. `what` describes the expected argument. */
export const subjectOf = <A>(
  value: unknown,
  is: (subject: unknown) => subject is A,
  method: string,
  what: string
): A => {
  const object = value instanceof HostObject ? value.handle : value
  const subject = object instanceof ScriptObject ? object.subject : undefined
  if (is(subject)) return subject
  throw new TraversalError(`${method}() takes ${what}, not ${described(value)}.`)
}

/** Shows a type or an index with its new name. */
export const rename = (value: unknown, name: string): void => {
  const object = value instanceof HostObject ? value.handle : value
  if (object instanceof ScriptObject) object.rename(name)
}

const described = (value: unknown): string => {
  if (value instanceof HostObject) return `a ${value.type}`
  return value === null || value === undefined ? "null" : `${text(value)} (${typeName(value)})`
}

/**
 * The arguments of a method that takes any number of them. As in Java, an array as the only one, or as the last one, stands for its
 * members.
 */
export const severalOf = (args: ReadonlyArray<unknown>): ReadonlyArray<unknown> => {
  const last = args.at(-1)
  return Array.isArray(last) ? [...args.slice(0, -1), ...(last as ReadonlyArray<unknown>)] : args
}

/** An argument that must be a string. */
export const stringOf = (value: unknown, method: string, what: string): string => {
  if (typeof value === "string") return value
  throw new TraversalError(`${method}() takes ${what}, not ${described(value)}.`)
}

/** The name of a constant of one of the enumerations, whether the language or the host defines it. */
export const constantOf = (value: unknown, classes: ReadonlyArray<string>, method: string): string => {
  if (value instanceof HostConstant && classes.includes(value.className)) return value.name
  if (value instanceof EnumValue && classes.includes(value.enumName)) return value.name
  throw new TraversalError(
    `${method}() takes a constant of ${classes.join(" or ")}, such as ${classes[0]}.X, not ${described(value)}.`
  )
}

/** Vertex.class or Edge.class. */
export const elementOf = (value: unknown, method: string): "vertex" | "edge" => {
  const name = value instanceof ClassName ? value.simpleName : ""
  if (name === "Vertex") return "vertex"
  if (name === "Edge") return "edge"
  throw new TraversalError(`${method}() takes Vertex.class or Edge.class, not ${described(value)}.`)
}

/** An argument that must be a number. */
export const numberOf = (value: unknown, method: string): number => {
  if (isNumber(value)) return Number(typeof value === "object" && "value" in value ? value.value : value)
  throw new TraversalError(`${method}() takes a number, not ${described(value)}.`)
}

/** Throws TraversalError for more arguments than a method takes: an argument without an effect may be a mistake. */
export const refuseSurplus = (method: string, { length }: ReadonlyArray<unknown>, most: number): void => {
  if (length <= most) return
  const takes = most === 0 ? "no argument" : most === 1 ? "one argument" : `at most ${most} arguments`
  throw new TraversalError(`${method}() takes ${takes}, not ${length}.`)
}
