import { runWhole, type Task } from "../../scheduling/Task.ts"
import { TimeSlice } from "../../scheduling/TimeSlice.ts"
import type { EnumValue } from "../../structure/scalars/Enums.ts"
import { isEnum, labelArguments } from "../language/Arguments.ts"
import { Bytecode, type Instruction, type StrategySpec } from "../language/Bytecode.ts"
import { noMethod, refuseArguments } from "../language/CallArguments.ts"
import { ClosureSource } from "../language/Closure.ts"
import { CLOSURE_OPERATOR } from "../language/ClosureChild.ts"
import { prefixConnectives } from "../language/Connectives.ts"
import { LimitExceeded, TraversalInvalid } from "../language/Errors.ts"
import { refuseClosures } from "../language/Lambdas.ts"
import { modulatorOf } from "../language/Modulators.ts"
import { sourceSteps, steps } from "../language/StepSignatures.ts"
import { refuseComparedTraversals } from "../language/TraversalValues.ts"
import type { Needs } from "../plan/Activation.ts"
import type { Language } from "../plan/Language.ts"
import { link } from "../plan/Plan.ts"
import type { Compiled, SackSpec } from "../plan/Prepared.ts"
import type { Run, SideEffectSpec } from "../plan/Run.ts"
import { type Step, Traversal } from "../plan/Step.ts"
import type { StrategyContext, StrategyObserver } from "../plan/Strategy.ts"
import { holdsClosure, withClosureSteps } from "./ClosureArguments.ts"
import { applySource, type SourceSettings } from "./SourceInstructions.ts"
import { applyStrategies } from "./StrategyApplication.ts"

/** A traversal whose steps are not built yet. */
interface Unbuilt {
  readonly traversal: Traversal
  readonly instructions: readonly Instruction[]
  /** Called when the steps are built. */
  readonly built: (traversal: Traversal) => void
  /** Index of the next instruction. */
  at: number
}

const nothing = (): void => {}

/** Limit of steps, including those of strategies: each step may get the criteria of a SubgraphStrategy. */
const MAX_BUILT_STEPS = 40_000

/**
 * Compiles Bytecode to a plan: builds steps, applies strategies, and links. One instance compiles one traversal. Members
 * without a comment are documented at {@link StrategyContext}.
 */
export class Compiler implements StrategyContext, SourceSettings {
  /** The with() options of the source. An option without a value is true. */
  readonly options = new Map<string, unknown>()
  readonly sideEffects: Array<SideEffectSpec> = []
  readonly strategies: Array<StrategySpec> = []
  readonly without = new Set<string>()
  sack: SackSpec | null = null
  seed: bigint | null = null
  /** False after withBulk(false). */
  bulk = true
  root: Traversal | null = null
  profiled = false
  /** True after withPath(): whole paths are kept even if no step reads them. */
  path = false
  callsClosures = false

  readonly slice: TimeSlice

  readonly #language: Language

  constructor(language: Language, slice = new TimeSlice()) {
    this.#language = language
    this.slice = slice
  }

  /** Traversals whose steps are not built yet, while a long one is compiled; null = children are built immediately. */
  #unbuilt: Array<Unbuilt> | null = null

  /** Compiles a root traversal. Throws TraversalInvalid, VerificationFailed or LambdaNotSupported. */
  compile(bytecode: Bytecode, observe: StrategyObserver = nothing): Compiled {
    return runWhole(this.compileTask(bytecode, false, observe))
  }

  /** Does what {@link compile} does, with yields if the traversal is long. */
  *compileTask(bytecode: Bytecode, isLong: boolean, observe: StrategyObserver = nothing): Task<Compiled> {
    for (const instruction of bytecode.sourceInstructions) applySource(instruction, this)
    const traversal = new Traversal()
    this.root = traversal
    const instructions = this.#written(bytecode.stepInstructions, true)
    if (isLong) {
      this.#unbuilt = [{ traversal, instructions, built: nothing, at: 0 }]
      yield* this.finish()
      yield
    } else for (const instruction of instructions) this.#instruction(instruction, traversal)
    observe(null, traversal)
    const applying = applyStrategies(traversal, this.#language.strategies, this, observe)
    if (isLong) yield* applying
    else runWhole(applying)
    const linking = link(traversal, this.needs(), this.slice)
    const plan = isLong ? yield* linking : runWhole(linking)
    const { bulk, callsClosures, options, profiled, sack, seed, sideEffects } = this
    return { plan, traversal, options, sideEffects, sack, seed, bulk, profiled, callsClosures }
  }

  needs(): Needs {
    return {
      path: this.path ? 2 : 0,
      sack: this.sack !== null,
      mergingShows: !this.bulk || (this.sack !== null && this.sack.merge !== null),
      sequential: false,
      writes: false,
      computes: false
    }
  }

  child(argument: unknown, parent: Step, built: (child: Traversal) => void = nothing): Traversal {
    refuseClosures(parent.operator, [argument])
    if (!(argument instanceof Bytecode)) {
      throw new TraversalInvalid(`${parent.operator}() needs a traversal here, but was given ${typeof argument}`)
    }
    if (this.#unbuilt === null) {
      const traversal = this.build(argument.stepInstructions)
      traversal.parent = parent
      built(traversal)
      return traversal
    }
    const traversal = new Traversal()
    traversal.parent = parent
    this.#unbuilt.push({ traversal, instructions: this.#written(argument.stepInstructions, false), built, at: 0 })
    return traversal
  }

  *finish(): Task {
    const unbuilt = this.#unbuilt
    if (unbuilt === null || unbuilt.length === 0) return
    const open: Array<Unbuilt> = []
    for (;;) {
      for (let child = unbuilt.pop(); child !== undefined; child = unbuilt.pop()) open.push(child)
      const last = open[open.length - 1]
      if (last === undefined) return
      const instruction = last.instructions[last.at++]
      if (instruction !== undefined) this.#instruction(instruction, last.traversal)
      else {
        open.pop()
        last.built(last.traversal)
      }
      if (this.slice.isOverNow()) yield
    }
  }

  sideEffect(key: string, initial: (run: Run) => unknown): void {
    this.sideEffects.push({ key, initial, owned: true, operator: null })
  }

  /** Declares a side effect that begins with a value of the traversal. */
  givenSideEffect(key: string, value: unknown, operator: EnumValue | ClosureSource | null): void {
    const initial = (run: Run): unknown =>
      value instanceof ClosureSource ? run.closures.of(value).now([], "withSideEffect()") : value
    const at = this.sideEffects.findIndex((spec) => spec.key === key)
    // A later declaration replaces the value, and the operator if it has one.
    if (at < 0) this.sideEffects.push({ key, initial, owned: false, operator })
    else {
      const before = this.sideEffects[at]!
      this.sideEffects[at] = { key, initial, owned: false, operator: operator ?? before.operator }
    }
  }

  build(instructions: readonly Instruction[]): Traversal {
    const traversal = new Traversal()
    for (const instruction of this.#written(instructions, false)) this.#instruction(instruction, traversal)
    return traversal
  }

  #written(instructions: readonly Instruction[], isRoot: boolean): readonly Instruction[] {
    return this.without.has("ConnectiveStrategy") ? instructions : prefixConnectives(instructions, isRoot)
  }

  /** Number of built instructions, including those of strategies. */
  #built = 0

  readonly variableStarts = new WeakSet<Step>()

  /** Adds the identity step that takes the labels of an as() at the start of a traversal. */
  #startStep(traversal: Traversal): Step {
    const identity = this.#language.operators.get("identity")!.build([], this, traversal)!
    traversal.add(identity)
    this.variableStarts.add(identity)
    return identity
  }

  #argumentsOf({ args, operator }: Instruction): readonly unknown[] {
    // No driver and no script can write this operator with a closure.
    if (operator === CLOSURE_OPERATOR || !holdsClosure(args)) return args
    this.callsClosures = true
    return withClosureSteps(operator, args, this.#language)
  }

  #instruction(instruction: Instruction, traversal: Traversal): void {
    const { operator } = instruction
    if (++this.#built > MAX_BUILT_STEPS) {
      throw new LimitExceeded(
        `A traversal has at most ${MAX_BUILT_STEPS} steps, including those of strategies, but this one has more. Use smaller criteria.`
      )
    }
    const args = this.#argumentsOf(instruction)
    refuseComparedTraversals(operator, args)
    const place = this.#placeOf(traversal)
    this.#build(operator, args, traversal)
    // The step itself has checked its arguments first, because it can say better what is wrong.
    refuseArguments(operator, args, place, steps.get(operator), sourceSteps.get(operator))
  }

  /** The class of TinkerPop that has the method of the next step. */
  #placeOf(traversal: Traversal): string {
    return traversal === this.root && traversal.last === undefined ? "GraphTraversalSource" : "DefaultGraphTraversal"
  }

  #build(operator: string, args: readonly unknown[], traversal: Traversal): void {
    if (operator === "as") {
      const last = traversal.last ?? this.#startStep(traversal)
      const known = new Set(last.labels)
      for (const label of labelArguments(operator, args)) {
        if (known.has(label)) continue
        known.add(label)
        last.labels.push(label)
      }
      return
    }
    const last = traversal.last
    const modulator = modulatorOf(operator)
    if (modulator !== undefined && !(operator === "to" && isEnum(args[0], "Direction"))) {
      // until() and emit() may precede their repeat(). Then they make a repeat step without a body.
      if (!modulator.precedesRepeat || last?.awaits(operator) === true) {
        if (last === undefined) throw new TraversalInvalid(`${operator}() has no step before it to change`)
        last.modulate(operator, args, this)
        return
      }
      const repeat = this.#language.operators.get("repeat")!.build([], this, traversal)!
      traversal.add(repeat)
      repeat.modulate(operator, args, this)
      return
    }
    if (last?.awaits(operator) === true) {
      last.modulate(operator, args, this)
      return
    }
    const made = this.#language.operators.get(operator)
    if (made === undefined) throw new TraversalInvalid(noMethod(this.#placeOf(traversal), operator, args))
    const step = made.build(args, this, traversal)
    if (step !== null) traversal.add(step)
  }
}
