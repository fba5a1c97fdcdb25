import { ClosureSource } from "./Closure.ts"

/**
 * The intermediate form of every traversal: scripts are parsed to it, drivers send it, and plans are compiled from it. An
 * argument is a plain value (see structure/) or an instance of a class of this file.
 */

/** One step or source instruction: its Gremlin name and its arguments. */
export class Instruction {
  readonly operator: string
  readonly args: readonly unknown[]
  constructor(operator: string, args: readonly unknown[]) {
    this.operator = operator
    this.args = args
  }
}

/**
 * The key of with() by which property() gives the property that it has written instead of the element; null if the element does not
 * have it afterwards. `v.property(key, value)` of scripts needs it: a later step cannot tell the property from others of its key.
 */
export const WRITTEN_PROPERTY = "~property.written"

/**
 * A traversal as data. A nested (anonymous) traversal has no source instructions, with one exception: TinkerPop 3.8 sends
 * Cardinality.single(x) as a traversal with the source instruction `CardinalityValueTraversal`.
 */
export class Bytecode {
  readonly sourceInstructions: readonly Instruction[]
  readonly stepInstructions: readonly Instruction[]
  constructor(sourceInstructions: readonly Instruction[], stepInstructions: readonly Instruction[]) {
    this.sourceInstructions = sourceInstructions
    this.stepInstructions = stepInstructions
  }
}

/** A named value in the bytecode of a driver (g:Binding). It stands for its value. */
export class Binding {
  readonly key: string
  readonly value: unknown
  constructor(key: string, value: unknown) {
    this.key = key
    this.value = value
  }
}

/** A variable of a script. The request's bindings have its value. */
export class Variable {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** A closure of a driver as text (g:Lambda). The server interprets Groovy; it refuses other languages. */
export class Lambda extends ClosureSource {
  readonly script: string
  readonly language: string
  /** As the driver says: a negative number if the driver does not know. */
  readonly argumentCount: number
  constructor(script: string, language: string, argumentCount: number) {
    super()
    this.script = script
    this.language = language
    this.argumentCount = argumentCount
  }

  get text(): string {
    return "lambda"
  }

  /** Without a number from the driver: 2 if there is a comma before the arrow, as drivers count it. */
  get parameterCount(): number {
    if (this.argumentCount >= 0) return this.argumentCount
    return /^[^,]*,[^,]*->/.test(this.script) ? 2 : 1
  }
}

/** A traversal strategy by its simple name, with its configuration. Values may be Bytecode. */
export class StrategySpec {
  readonly name: string
  readonly configuration: ReadonlyMap<string, unknown>
  constructor(name: string, configuration: ReadonlyMap<string, unknown>) {
    this.name = name
    this.configuration = configuration
  }
}

/** A result with the number of times it occurred, as responses to bytecode requests contain it. */
export class Traverser {
  readonly value: unknown
  /** At least 1. */
  readonly bulk: number
  constructor(value: unknown, bulk: number) {
    this.value = value
    this.bulk = bulk
  }
}
