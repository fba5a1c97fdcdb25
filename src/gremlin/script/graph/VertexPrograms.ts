import { Bytecode, Instruction } from "../../../process/language/Bytecode.ts"
import { compareNumbers } from "../../../structure/numbers/NumberOrder.ts"
import { isNumber } from "../../../structure/numbers/Numbers.ts"
import { EnumValue } from "../../../structure/scalars/Enums.ts"
import { noMethod } from "../closures/ClosureCalls.ts"
import { CalledValue } from "../methods/CalledValue.ts"
import { asText } from "../methods/MethodTable.ts"
import { toNumber } from "../types/Casts.ts"
import { OperandError, Unavailable } from "../values/OperandErrors.ts"

/** A vertex program of TinkerPop with its options: the step that computes the same. */
export class VertexProgram extends CalledValue {
  /** The name of its class. */
  readonly name: string
  readonly kind: ProgramKind
  /** The steps from the vertices where the program begins. */
  readonly steps: readonly Instruction[]
  constructor(name: string, kind: ProgramKind, steps: readonly Instruction[]) {
    super()
    this.name = name
    this.kind = kind
    this.steps = steps
  }
  get [Symbol.toStringTag](): string {
    return "VertexProgram"
  }
  override toString(): string {
    return this.name
  }
  override call(name: string): never {
    throw noMethod(this.name, name, [])
  }
}

/** A job that counts the clusters of a finished program. */
export class MapReduce extends CalledValue {
  readonly name: string
  /** The key of its result in the memory. */
  readonly memoryKey: string
  constructor(name: string, memoryKey: string) {
    super()
    this.name = name
    this.memoryKey = memoryKey
  }
  get [Symbol.toStringTag](): string {
    return "MapReduce"
  }
  override toString(): string {
    return this.name
  }
  override call(name: string): never {
    throw noMethod(this.name, name, [])
  }
}

/** What a method of a builder sets: an option of the step, its argument, or the filter of the vertices where it begins. */
type Setting =
  | { readonly option: string; readonly value: unknown }
  | { readonly argument: unknown }
  | { readonly source: Bytecode }
  | undefined

interface ProgramKind {
  /** The step that computes the same. */
  readonly operator: string
  /** Options that differ from those of the step, if the builder sets none. */
  readonly defaults: ReadonlyMap<string, unknown>
  /** True if the result is a list of paths in the memory, and no property of the vertices. */
  readonly findsPaths: boolean
  readonly methods: { readonly [name: string]: (value: unknown) => Setting }
}

const traversal = (value: unknown, method: string): Bytecode => {
  if (value instanceof Bytecode) return value
  throw new OperandError(`${method}() takes an anonymous traversal, such as __.outE('knows')`)
}

const edges = (value: unknown): Setting => ({ option: "edges", value: traversal(value, "edges") })
const property = (value: unknown): Setting => ({ option: "propertyName", value: asText(value) })

const rounds = (value: unknown, method: string): number => {
  const count = Number(toNumber(value, "Int"))
  if (count < 1) throw new OperandError(`${method}() takes a number from 1, not ${count}`)
  return count
}

/** Accepts only the value that the step also uses. */
const only =
  (method: string, isFixed: (value: unknown) => boolean, fixed: string) =>
  (value: unknown): Setting => {
    if (isFixed(value)) return undefined
    throw new Unavailable(`${method}() has one value here: ${fixed}`)
  }

/** The vertex programs that scripts can run, by their class. */
const programs: { readonly [className: string]: ProgramKind } = {
  PageRankVertexProgram: {
    operator: "pageRank",
    // The step takes one round more than the program, which has 20.
    defaults: new Map([["times", 19]]),
    findsPaths: false,
    methods: {
      alpha: (value) => ({ argument: toNumber(value, "Double") }),
      iterations: (value) => ({ option: "times", value: rounds(value, "iterations") - 1 }),
      epsilon: only("epsilon", (value) => isNumber(value) && compareNumbers(value, 0.00001) === 0, "0.00001"),
      property,
      edges
    }
  },
  PeerPressureVertexProgram: {
    operator: "peerPressure",
    defaults: new Map(),
    findsPaths: false,
    methods: {
      maxIterations: (value) => ({ option: "times", value: rounds(value, "maxIterations") }),
      distributeVote: only("distributeVote", (value) => value === false, "false"),
      property,
      edges
    }
  },
  ConnectedComponentVertexProgram: {
    operator: "connectedComponent",
    defaults: new Map(),
    findsPaths: false,
    methods: { property, edges }
  },
  ShortestPathVertexProgram: {
    operator: "shortestPath",
    defaults: new Map(),
    findsPaths: true,
    methods: {
      source: (value) => ({ source: traversal(value, "source") }),
      target: (value) => ({ option: "target", value: traversal(value, "target") }),
      edgeTraversal: (value) => ({ option: "edges", value: traversal(value, "edgeTraversal") }),
      edgeDirection: (value) => {
        if (value instanceof EnumValue && value.enumName === "Direction") return { option: "edges", value }
        throw new OperandError("edgeDirection() takes a direction, such as Direction.OUT")
      },
      distanceProperty: (value) => ({ option: "distance", value: asText(value) }),
      distanceTraversal: (value) => ({ option: "distance", value: traversal(value, "distanceTraversal") }),
      maxDistance: (value) => {
        if (isNumber(value)) return { option: "maxDistance", value }
        throw new OperandError("maxDistance() takes a number")
      },
      includeEdges: (value) => ({ option: "includeEdges", value: value === true })
    }
  }
}

/** The keys of the results of jobs, by their class. */
const jobs: { readonly [className: string]: string } = {
  ClusterCountMapReduce: "clusterCount",
  ClusterPopulationMapReduce: "clusterPopulation"
}

/** Builds a vertex program: its methods set options and return it, and `create()` gives the program. */
class ProgramBuilder extends CalledValue {
  readonly #name: string
  readonly #kind: ProgramKind
  readonly #options: Map<string, unknown>
  #args: readonly unknown[] = []
  #source: Bytecode | undefined

  constructor(name: string, kind: ProgramKind) {
    super()
    this.#name = name
    this.#kind = kind
    this.#options = new Map(kind.defaults)
  }
  get [Symbol.toStringTag](): string {
    return "Builder"
  }

  override toString(): string {
    return `builder of ${this.#name}`
  }

  /** Calls a method. Fails with OperandError for an unknown method or a wrong argument. */
  override call(name: string, args: readonly unknown[]): unknown {
    const { methods, operator } = this.#kind
    if (name === "create" && args.length <= 1) {
      const starts = this.#source === undefined ? [] : [new Instruction("filter", [this.#source])]
      const options = Array.from(
        this.#options,
        ([option, value]) => new Instruction("with", [`~tinkerpop.${operator}.${option}`, value])
      )
      return new VertexProgram(this.#name, this.#kind, [...starts, new Instruction(operator, this.#args), ...options])
    }
    const method = Object.hasOwn(methods, name) ? methods[name] : undefined
    if (method === undefined) throw noMethod(`the ${this}`, name, [...Object.keys(methods), "create"])
    if (args.length !== 1) throw new OperandError(`${name}() takes one argument`)
    const setting = method(args[0])
    if (setting === undefined) return this
    if ("option" in setting) this.#options.set(setting.option, setting.value)
    else if ("source" in setting) this.#source = setting.source
    else this.#args = [setting.argument]
    return this
  }
}

/** Builds a job of a computation. */
class MapReduceBuilder extends CalledValue {
  readonly #name: string
  #memoryKey: string

  constructor(name: string, memoryKey: string) {
    super()
    this.#name = name
    this.#memoryKey = memoryKey
  }
  get [Symbol.toStringTag](): string {
    return "Builder"
  }

  override toString(): string {
    return `builder of ${this.#name}`
  }

  /** Calls a method. Fails with OperandError for an unknown method or a wrong argument. */
  override call(name: string, args: readonly unknown[]): unknown {
    if (name === "create" && args.length <= 1) return new MapReduce(this.#name, this.#memoryKey)
    if (name !== "memoryKey" || args.length !== 1) throw noMethod(`the ${this}`, name, ["memoryKey", "create"])
    this.#memoryKey = asText(args[0])
    return this
  }
}

/** `PageRankVertexProgram.build()`: the builder of a program or job. Undefined for another method. */
export const programBuilder = (
  className: string,
  name: string,
  args: readonly unknown[]
): ProgramBuilder | MapReduceBuilder | undefined => {
  if (name !== "build" || args.length > 0) return undefined
  if (Object.hasOwn(programs, className)) return new ProgramBuilder(className, programs[className]!)
  return Object.hasOwn(jobs, className) ? new MapReduceBuilder(className, jobs[className]!) : undefined
}
