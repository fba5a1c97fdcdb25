import { Bytecode } from "../../process/language/Bytecode.ts"
import { BegunTraversal, type ScriptRun } from "../HostCall.ts"
import type { Terminal } from "../Script.ts"
import { ScriptSource, ScriptTraversal } from "../ScriptObjects.ts"
import { Suspension } from "../Suspension.ts"
import { Spread } from "../script/arguments/Spread.ts"
import { substituteBytecode } from "../script/arguments/Substitution.ts"
import type { Receivers } from "../script/receivers/Receivers.ts"
import { callOf, checkContinues } from "../script/traversals/TraversalCalls.ts"
import { JavaArray } from "../script/values/JavaArray.ts"
import { OpenTraversal } from "../script/values/OpenTraversal.ts"
import { type Code, type Frame, SuspendingCode } from "./Frame.ts"
import { asBeginning, attemptBound, boundOf, type Spawned, sourceOf } from "./SpawnedTraversal.ts"

/** What the steps of a traversal continue. */
type Beginning = ScriptSource | ScriptTraversal | Bytecode

const HAS_NEXT: Terminal = { name: "hasNext", count: undefined }

const NO_VARIABLES: ReadonlyMap<string, unknown> = new Map()

/** The traversal with the values of its variables as arguments. */
const filled = (source: ScriptSource, bytecode: Bytecode, variables: ReadonlyMap<string, unknown>): ScriptTraversal =>
  new ScriptTraversal(
    source,
    substituteBytecode(bytecode, ({ name }) => variables.get(name)),
    NO_VARIABLES
  )

/** A traversal in a variable with further steps, the first of which also begins traversals, such as V() and addV(). */
const continued = (
  { runtime }: Frame,
  traversal: ScriptTraversal | Bytecode,
  bytecode: Bytecode,
  variables: ReadonlyMap<string, unknown>
): ScriptTraversal | Bytecode => {
  if (traversal instanceof ScriptTraversal) checkContinues(traversal, bytecode.stepInstructions[0]?.operator ?? "it")
  const { sourceInstructions, stepInstructions } = traversal instanceof Bytecode ? traversal : traversal.bytecode
  const further = substituteBytecode(bytecode, ({ name }) => variables.get(name)).stepInstructions
  runtime.budget.created(stepInstructions.length + further.length)
  const steps = [...stepInstructions, ...further]
  if (traversal instanceof OpenTraversal) return traversal.continue(steps)
  const whole = new Bytecode(sourceInstructions, steps)
  return traversal instanceof ScriptTraversal ? traversal.continue(whole) : new OpenTraversal(whole)
}

/** True if a value stands for several arguments, so that the traversal has other arguments in each run. */
const hasSeveral = (variables: ReadonlyMap<string, unknown>): boolean => {
  for (const value of variables.values()) if (value instanceof Spread || value instanceof JavaArray) return true
  return false
}

/** `g.V().out().next()`: a traversal that begins at a source. */
export class TraversalCode extends SuspendingCode {
  readonly #spawned: Spawned
  readonly #terminal: Terminal | undefined
  constructor(spawned: Spawned, terminal: Terminal | undefined) {
    super()
    this.#spawned = spawned
    this.#terminal = terminal
  }
  /** The code whose value says whether the traversal has a result: it takes one result at most. */
  get hasNext(): Code {
    const terminal = this.#terminal
    // `iterator()` gives the traversal itself.
    return terminal === undefined || terminal.name === "iterator" ? new TraversalCode(this.#spawned, HAS_NEXT) : this
  }
  override attempt(frame: Frame): unknown {
    const { position, source, unit } = this.#spawned
    const given = source.attempt(frame)
    if (given instanceof Suspension) return new Suspension(this.#after(frame, given.rest))
    const from = asBeginning(this.#spawned, given)
    const variables = attemptBound(this.#spawned, frame)
    if (variables instanceof Suspension) return new Suspension(this.#afterBound(frame, from, variables.rest))
    const traversal = this.#traversal(frame, from, variables)
    if (this.#terminal === undefined || traversal instanceof Bytecode) return traversal
    try {
      const value = this.#attemptEnd(frame, from, traversal, this.#terminal)
      return value instanceof Suspension ? new Suspension(unit.positions.positioned(position, value.rest)) : value
    } catch (error) {
      throw unit.positions.positionedError(error, position)
    }
  }
  *run(frame: Frame): ScriptRun {
    const value = this.attempt(frame)
    return value instanceof Suspension ? yield* value.rest : value
  }
  *#after(frame: Frame, source: ScriptRun): ScriptRun {
    const from = asBeginning(this.#spawned, yield* source)
    return yield* this.#end(frame, from, this.#traversal(frame, from, yield* boundOf(this.#spawned, frame)))
  }
  *#afterBound(frame: Frame, source: Beginning, variables: ScriptRun): ScriptRun {
    return yield* this.#end(frame, source, this.#traversal(frame, source, (yield* variables) as Map<string, unknown>))
  }
  #traversal(frame: Frame, source: Beginning, variables: ReadonlyMap<string, unknown>): ScriptTraversal | Bytecode {
    const { bytecode, position, unit } = this.#spawned
    if (source instanceof Bytecode && this.#terminal !== undefined) {
      const name = `${this.#terminal.name}()`
      throw unit.positions.failure(
        `an anonymous traversal has no ${name}: only one that begins with g has results`,
        position
      )
    }
    if (!(source instanceof ScriptSource)) {
      return unit.positions.at(position, () => continued(frame, source, bytecode, variables))
    }
    const whole =
      source.instructions.length === 0
        ? bytecode
        : new Bytecode([...source.instructions, ...bytecode.sourceInstructions], bytecode.stepInstructions)
    return hasSeveral(variables)
      ? unit.positions.at(position, () => filled(source, whole, variables))
      : new ScriptTraversal(source, whole, variables)
  }
  *#end(frame: Frame, source: Beginning, traversal: ScriptTraversal | Bytecode): ScriptRun {
    const { position, unit } = this.#spawned
    const terminal = this.#terminal
    if (terminal === undefined || traversal instanceof Bytecode) return traversal
    return yield* unit.positions.positioned(position, endOf(frame, source, traversal, terminal))
  }
  /** The value of the terminal method, if the host runs the traversal at once and nothing waits. */
  #attemptEnd(frame: Frame, source: Beginning, traversal: ScriptTraversal, terminal: Terminal): unknown {
    const { budget, receivers, traverse } = frame.runtime
    const call = callOf(traversal, terminal)
    const isLater = traverse === undefined || call === undefined || call.want === "explain" || budget.isSliceOver
    if (isLater || traversal === source) return new Suspension(endOf(frame, source, traversal, terminal))
    let isOver = false
    let answer: unknown
    try {
      answer = traverse(call, budget.slice)
    } finally {
      // The traversal may have taken long, and the budget reads the clock only now and then. A script that catches the error pauses
      // at its next operation.
      isOver = budget.isSliceOverNow
    }
    if (answer instanceof BegunTraversal) return new Suspension(ended(answer, traversal, terminal, receivers))
    const value = receivers.traversals.attemptEnded(traversal, answer, terminal)
    return value instanceof Suspension || !isOver ? value : new Suspension(paused(value))
  }
}

/** The value of a terminal method. Other variables that hold a traversal which was continued have the results that it leaves. */
const endOf = (
  { runtime: { receivers } }: Frame,
  source: Beginning,
  traversal: ScriptTraversal,
  terminal: Terminal
): ScriptRun =>
  traversal === source ? receivers.traversals.taken(traversal, terminal) : receivers.traversals.end(traversal, terminal)

/** The value of a traversal that the host continues. */
function* ended(
  begun: BegunTraversal,
  traversal: ScriptTraversal,
  terminal: Terminal,
  receivers: Receivers
): ScriptRun {
  return yield* receivers.traversals.ended(traversal, yield begun, terminal)
}

function* paused(value: unknown): ScriptRun {
  yield { kind: "pause" }
  return value
}

/** `g.withSideEffect(...)` alone: a source with instructions. */
export class SourceCode extends SuspendingCode {
  readonly #spawned: Spawned
  constructor(spawned: Spawned) {
    super()
    this.#spawned = spawned
  }
  *run(frame: Frame): ScriptRun {
    const source = yield* sourceOf(this.#spawned, frame)
    const variables = yield* boundOf(this.#spawned, frame)
    // Values are fixed now: a traversal spawned from the source later may have other variables of the same names.
    const written = substituteBytecode(this.#spawned.bytecode, ({ name }) => variables.get(name))
    return new ScriptSource(source.name, [...source.instructions, ...written.sourceInstructions], source.handle)
  }
}
