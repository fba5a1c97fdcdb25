import { labelArguments } from "../../language/Arguments.ts"
import { Bytecode, Instruction } from "../../language/Bytecode.ts"
import { prefixConnectives } from "../../language/Connectives.ts"
import { TraversalInvalid } from "../../language/Errors.ts"
import { ConnectiveP, NotP, P, type Predicate } from "../../language/Predicate.ts"
import type { PlanBuilder, Step, Traversal } from "../../plan/Step.ts"

/** as('start')...as('end'): walks from the object bound to start; binds end, or compares with it when it is bound. */
export interface Walk {
  readonly kind: "walk"
  readonly start: string
  readonly end: string | null
  readonly traversal: Traversal
  /** Variables that the steps of the walk read, and labels that they set; see {@link lookInside}. */
  reads: readonly string[]
  sets: readonly string[]
  /** True if the walk ends in a reduced value, as with count(), and not in an object on the path. */
  reduces: boolean
}

/** One pattern of match(). */
export type Pattern =
  | Walk
  /** where(...) and not(...): filters rows; all its labels must be bound. */
  | { readonly kind: "filter"; readonly labels: readonly string[]; readonly traversal: Traversal }
  /** or(...): a row is emitted once for each alternative that it meets. */
  | { readonly kind: "or"; readonly alternatives: ReadonlyArray<ReadonlyArray<Pattern>> }

/** Reads the arguments of match(). and(...) is replaced by its patterns. */
export const readPatterns = (args: readonly unknown[], step: Step, compiler: PlanBuilder): ReadonlyArray<Pattern> =>
  args.flatMap((arg) => {
    if (!(arg instanceof Bytecode)) throw new TraversalInvalid("match() takes traversals that begin with as()")
    return readPattern(arg, step, compiler)
  })

const readPattern = (bytecode: Bytecode, step: Step, compiler: PlanBuilder): ReadonlyArray<Pattern> => {
  const instructions = prefixConnectives(bytecode.stepInstructions, false)
  const first = instructions[0]
  if (first === undefined)
    throw new TraversalInvalid("match() takes traversals that begin with as(), but one traversal is empty")
  if (first.operator === "as") return [walk(instructions, step, compiler)]
  if (instructions.length === 1 && first.operator === "and") return readPatterns(first.args, step, compiler)
  if (instructions.length === 1 && first.operator === "or") {
    return [{ kind: "or", alternatives: first.args.map((arg) => readPatterns([arg], step, compiler)) }]
  }
  if (first.operator === "where" || first.operator === "not") {
    const labels = new Set<string>()
    for (const instruction of instructions) labelsOf(instruction, labels)
    if (labels.size === 0) {
      throw new TraversalInvalid(
        `Each pattern of match() names a variable, but a ${first.operator}() names none: begin its traversal with as()`
      )
    }
    return [{ kind: "filter", labels: [...labels], traversal: compiler.child(scoped(bytecode), step) }]
  }
  throw new TraversalInvalid(
    `Each pattern of match() begins with as(), or is and(), or(), not() or where(), but one begins with ${first.operator}()`
  )
}

/** Throws if a position has more than one label. */
const checkLabels = (instructions: readonly Instruction[], which: "start" | "end"): void => {
  const labels = [...new Set(instructions.flatMap(({ args }) => labelArguments("as", args)))]
  if (labels.length < 2) return
  throw new TraversalInvalid(
    `Each pattern of match() has one ${which} label, but one has ${labels.join(" and ")}: give the other variable a separate pattern`
  )
}

/** The label of an as() at the start or the end of a pattern. */
const labelOf = ({ args }: Instruction): string => {
  const [label] = labelArguments("as", args)
  if (label === undefined) throw new TraversalInvalid("as() of a pattern of match() has a label, but one has none")
  return label
}

const walk = (instructions: readonly Instruction[], step: Step, compiler: PlanBuilder): Pattern => {
  const isLabel = ({ operator }: Instruction): boolean => operator === "as"
  const begins = instructions.findIndex((instruction) => !isLabel(instruction))
  checkLabels(instructions.slice(0, begins < 0 ? instructions.length : begins), "start")
  checkLabels(instructions.slice(instructions.findLastIndex((instruction) => !isLabel(instruction)) + 1), "end")
  const last = instructions.length > 1 ? instructions[instructions.length - 1] : undefined
  const ends = last?.operator === "as"
  const inner = instructions.slice(1, ends ? -1 : undefined)
  return {
    kind: "walk",
    start: labelOf(instructions[0]!),
    end: ends ? labelOf(last!) : null,
    traversal: compiler.child(new Bytecode([], inner), step),
    reads: [],
    sets: [],
    reduces: false
  }
}

/** Records which labels the steps of each pattern read and set. Called after the patterns are built. */
export const lookInside = (patterns: ReadonlyArray<Pattern>, variables: ReadonlySet<string>): void => {
  for (const pattern of patterns) {
    if (pattern.kind === "or") for (const alternative of pattern.alternatives) lookInside(alternative, variables)
    if (pattern.kind !== "walk") continue
    const reads = new Set<string>()
    const sets = new Set<string>()
    const bound = new Set<string>()
    pattern.traversal.visit((step) => {
      for (const label of step.labelsRead()) {
        if (variables.has(label)) reads.add(label)
        // A match() inside of a pattern binds its variables for later steps and patterns, too.
        if (step.traits.labels === "binds") bound.add(label)
      }
      for (const label of step.labels) sets.add(label)
    })
    pattern.reduces = pattern.traversal.steps.some((step) => step.traits.answersEmpty)
    pattern.sets = pattern.reduces ? [] : [...new Set([...sets, ...bound])]
    pattern.reads = [...reads].filter((label) => !sets.has(label))
  }
}

/** Makes not(as('a')...) read its labels as where() does. */
const scoped = (bytecode: Bytecode): Bytecode =>
  new Bytecode(
    [],
    bytecode.stepInstructions.map((instruction) =>
      instruction.operator === "not" && startsWithAs(instruction.args[0])
        ? new Instruction("not", [new Bytecode([], [new Instruction("where", instruction.args)])])
        : instruction
    )
  )

const startsWithAs = (arg: unknown): boolean => arg instanceof Bytecode && arg.stepInstructions[0]?.operator === "as"

/**
 * Adds the labels that a where() or not() reads: its start key, the values of its predicate, and the as() of its
 * traversals.
 */
const labelsOf = (instruction: Instruction, into: Set<string>): void => {
  const { operator, args } = instruction
  for (const arg of args) {
    if (operator === "where" && typeof arg === "string") into.add(arg)
    else if (operator === "where" && (arg instanceof P || arg instanceof ConnectiveP || arg instanceof NotP)) {
      predicateLabels(arg, into)
    } else if (operator === "as" && (typeof arg === "string" || Array.isArray(arg))) {
      for (const label of labelArguments(operator, [arg])) into.add(label)
    } else if (arg instanceof Bytecode) for (const inner of arg.stepInstructions) labelsOf(inner, into)
  }
}

const predicateLabels = (predicate: Predicate, into: Set<string>): void => {
  if (predicate instanceof ConnectiveP) for (const part of predicate.predicates) predicateLabels(part, into)
  else if (predicate instanceof NotP) predicateLabels(predicate.predicate, into)
  else for (const value of [predicate.value].flat()) if (typeof value === "string") into.add(value)
}

/** The labels that patterns bind or start from. */
export const variablesOf = (
  patterns: ReadonlyArray<Pattern>
): { readonly starts: Set<string>; readonly ends: Set<string> } => {
  const starts = new Set<string>()
  const ends = new Set<string>()
  const visit = (pattern: Pattern): void => {
    if (pattern.kind === "walk") {
      starts.add(pattern.start)
      if (pattern.end !== null) ends.add(pattern.end)
    } else if (pattern.kind === "or") for (const alternative of pattern.alternatives) alternative.forEach(visit)
  }
  patterns.forEach(visit)
  return { starts, ends }
}

/** The child traversals of patterns. */
export const patternTraversals = (patterns: ReadonlyArray<Pattern>): ReadonlyArray<Traversal> =>
  patterns.flatMap((pattern) =>
    pattern.kind === "or" ? pattern.alternatives.flatMap(patternTraversals) : [pattern.traversal]
  )
