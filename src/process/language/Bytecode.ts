/**
 * The one intermediate form of every traversal: scripts are parsed to it, drivers send it, plans are compiled from it.
 * Arguments are plain values (see structure/), or one of the classes of this file.
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
 * A traversal as data. A nested (anonymous) traversal has no source instructions, except that Cardinality.single(x)
 * travels as the source instruction `CardinalityValueTraversal` (TinkerPop 3.8).
 */
export class Bytecode {
  readonly sourceInstructions: readonly Instruction[]
  readonly stepInstructions: readonly Instruction[]
  constructor(sourceInstructions: readonly Instruction[], stepInstructions: readonly Instruction[]) {
    this.sourceInstructions = sourceInstructions
    this.stepInstructions = stepInstructions
  }
}

/** A named value inside driver bytecode (g:Binding); it means its value. */
export class Binding {
  readonly key: string
  readonly value: unknown
  constructor(key: string, value: unknown) {
    this.key = key
    this.value = value
  }
}

/** A variable of a script whose value is given when the plan runs. */
export class Variable {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Code in another language (g:Lambda). Never run: kept so that the refusal can name it. */
export class Lambda {
  readonly script: string
  readonly language: string
  readonly argumentCount: number
  constructor(script: string, language: string, argumentCount: number) {
    this.script = script
    this.language = language
    this.argumentCount = argumentCount
  }
}

/** A traversal strategy by simple name, with its configuration (values may be Bytecode). */
export class StrategySpec {
  readonly name: string
  readonly configuration: ReadonlyMap<string, unknown>
  constructor(name: string, configuration: ReadonlyMap<string, unknown>) {
    this.name = name
    this.configuration = configuration
  }
}

/** A result with the number of times it occurred: what bytecode requests are answered with. */
export class Traverser {
  readonly value: unknown
  /** At least 1. */
  readonly bulk: number
  constructor(value: unknown, bulk: number) {
    this.value = value
    this.bulk = bulk
  }
}
