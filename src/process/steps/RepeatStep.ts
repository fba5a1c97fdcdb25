import type { Activation } from "../Activation.ts"
import { integerArgument, isTraversal, stringArgument } from "../Arguments.ts"
import { Batch, carry, LoopFrame, scratchRows, select } from "../Batch.ts"
import { Bytecode, Instruction } from "../Bytecode.ts"
import type { Compiler, StepBuilder } from "../Compiler.ts"
import { TraversalInvalid } from "../Errors.ts"
import { branchEntry, planOf } from "../Plan.ts"
import { Step } from "../Step.ts"
import type { Traversal } from "../Traversal.ts"
import { asPredicate } from "./HasStep.ts"

/** A condition of until() or emit(): a number of rounds, a child traversal, or always. */
type LoopTest =
  | { readonly kind: "times"; readonly rounds: number }
  | { readonly kind: "traversal"; readonly traversal: Traversal }
  | { readonly kind: "always" }

/**
 * repeat() with until(), times() and emit(), before or after it. The body is part of the plan; its last step is a
 * {@link RepeatEndStep} which sends rows round again. Rounds are worked in order: the body's inbox is a queue.
 */
export class RepeatStep extends Step {
  readonly operator = "repeat"
  readonly name = "RepeatStep"
  override readonly keepsObject = true
  loopName: string | null = null
  body: Traversal | null = null
  until: LoopTest | null = null
  emit: LoopTest | null = null
  untilFirst = false
  emitFirst = false
  readonly end = new RepeatEndStep(this)

  override globalChildren(): ReadonlyArray<Traversal> {
    return this.body === null ? [] : [this.body]
  }

  override localChildren(): ReadonlyArray<Traversal> {
    return [this.until, this.emit].flatMap((test) => (test?.kind === "traversal" ? [test.traversal] : []))
  }

  override replaceChild(from: Traversal, to: Traversal): void {
    if (this.body === from) this.body = to
    if (this.until?.kind === "traversal" && this.until.traversal === from)
      this.until = { kind: "traversal", traversal: to }
    if (this.emit?.kind === "traversal" && this.emit.traversal === from)
      this.emit = { kind: "traversal", traversal: to }
  }

  override modulate(operator: string, args: readonly unknown[], compiler: Compiler): void {
    switch (operator) {
      case "repeat":
        this.#setBody(args, compiler)
        return
      case "times":
        this.#setUntil({ kind: "times", rounds: integerArgument("times", args[0], "number of rounds") })
        return
      case "until":
        this.#setUntil({ kind: "traversal", traversal: compiler.child(traversalOf(args[0]), this) })
        return
      case "emit":
        if (this.emit !== null) throw new TraversalInvalid("repeat() takes one emit()")
        this.emitFirst = this.body === null
        this.emit =
          args.length === 0
            ? { kind: "always" }
            : { kind: "traversal", traversal: compiler.child(traversalOf(args[0]), this) }
        return
      default:
        super.modulate(operator, args, compiler)
    }
  }

  #setUntil(test: LoopTest): void {
    if (this.until !== null) throw new TraversalInvalid("repeat() takes one until() or times()")
    this.until = test
    this.untilFirst = this.body === null
  }

  #setBody(args: readonly unknown[], compiler: Compiler): void {
    if (args.length === 2) this.loopName = stringArgument("repeat", args[0], "loop name")
    this.body = compiler.child(args[args.length - 1], this)
    this.body.add(this.end)
  }

  override run(batch: Batch, activation: Activation): undefined {
    if (this.body === null) throw new TraversalInvalid(`The repeat()-traversal was not defined: ${this}`)
    const entered = carry(batch, null, new Batch(batch.kind, batch.data, batch.length))
    const frames = activation.state(this, () => new Map<LoopFrame | null, LoopFrame>())
    entered.loops = enterFrame(frames, this, batch.loops)
    const go = (rows: Batch): void => {
      if (rows.length > 0) activation.push(branchEntry(this, this.body!), rows)
    }
    this.#tests(entered, activation, true, this.untilFirst, this.emitFirst, go)
  }

  /** What the end of the body does with its rows: out, out and on, or on. */
  round(batch: Batch, activation: Activation): void {
    const next = carry(batch, null, new Batch(batch.kind, batch.data, batch.length))
    next.loops = batch.loops!.next()
    const go = (rows: Batch): void => {
      if (rows.length > 0) activation.push(branchEntry(this, this.body!), rows)
    }
    this.#tests(next, activation, false, true, true, go)
  }

  /** Rows that are through leave; of the others those to emit leave as copies; `go` gets what goes round. */
  #tests(
    batch: Batch,
    activation: Activation,
    atStart: boolean,
    testUntil: boolean,
    testEmit: boolean,
    go: (rows: Batch) => void
  ): void {
    const leave = (rows: Batch): void => {
      if (rows.length === 0) return
      const out = carry(rows, null, new Batch(rows.kind, rows.data, rows.length))
      out.loops = batch.loops!.outer
      activation.pass(this, out)
    }
    const emitted = (rows: Batch): void => {
      if (!testEmit || rows.length === 0) {
        go(rows)
        return
      }
      split(this.emit, rows, activation, (matching) => {
        leave(matching)
        go(rows)
      })
    }
    if (!testUntil || (atStart && !this.untilFirst)) {
      emitted(batch)
      return
    }
    split(this.until, batch, activation, (through, rest) => {
      leave(through)
      emitted(rest)
    })
  }

  override describe(): string {
    return `${this.body ?? ""}${this.until === null ? "" : `,until(${words(this.until)})`}${this.emit === null ? "" : `,emit(${words(this.emit)})`}`
  }
}

/** The end of a repeat() body. */
export class RepeatEndStep extends Step {
  readonly operator = "repeat"
  readonly name = "RepeatEndStep"
  override readonly keepsObject = true
  readonly repeat: RepeatStep
  constructor(repeat: RepeatStep) {
    super()
    this.repeat = repeat
  }
  override run(batch: Batch, activation: Activation): undefined {
    this.repeat.round(batch, activation)
  }
}

const words = (test: LoopTest): string =>
  test.kind === "times" ? `loops(${test.rounds})` : test.kind === "always" ? "true" : String(test.traversal)

/** Parts a batch by a test: `done` gets the rows that meet it and the rows that do not. */
const split = (
  test: LoopTest | null,
  batch: Batch,
  activation: Activation,
  done: (matching: Batch, rest: Batch) => void
): void => {
  const none = new Batch(batch.kind, [], 0)
  if (test === null) done(none, batch)
  else if (test.kind === "always") done(batch, none)
  else if (test.kind === "times") {
    if (batch.loops!.count >= test.rounds) done(batch, none)
    else done(none, batch)
  } else {
    activation.invoke(planOf(test.traversal), batch, "exists", ({ found }) => {
      done(rowsWhere(batch, found, 1), rowsWhere(batch, found, 0))
    })
  }
}

const rowsWhere = (batch: Batch, found: Uint8Array, wanted: 0 | 1): Batch => {
  const rows = scratchRows(batch.length)
  let count = 0
  for (let i = 0; i < batch.length; i++) if (found[i] === wanted) rows[count++] = i
  return count === batch.length ? batch : select(batch, rows, count)
}

const enterFrame = (frames: Map<LoopFrame | null, LoopFrame>, step: RepeatStep, outer: LoopFrame | null): LoopFrame => {
  let frame = frames.get(outer)
  if (frame === undefined) {
    frame = outer === null ? firstFrame(step) : outer.enter(step.position, step.loopName)
    frames.set(outer, frame)
  }
  return frame
}

const firstFrame = (step: RepeatStep): LoopFrame => new LoopFrame(step.position, step.loopName, 0, null)

/** until(P) and emit(P) test the object itself. */
const traversalOf = (argument: unknown): unknown =>
  isTraversal(argument) ? argument : new Bytecode([], [new Instruction("is", [asPredicate(argument)])])

export const repeatSteps: Readonly<Record<string, StepBuilder>> = {
  repeat: (args, compiler) => {
    const step = new RepeatStep()
    if (args.length > 0) step.modulate("repeat", args, compiler)
    return step
  }
}
