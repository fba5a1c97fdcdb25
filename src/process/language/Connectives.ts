import { Bytecode, Instruction } from "./Bytecode.ts"
import { modulatorOf } from "./Modulators.ts"

/** True if an instruction modifies the instruction before it. */
const isAttached = ({ operator }: Instruction): boolean =>
  operator === "as" || modulatorOf(operator)?.precedesRepeat === false

/** True for and() and or() without arguments. */
const isInfix = ({ operator, args }: Instruction): boolean =>
  (operator === "and" || operator === "or") && args.length === 0

/**
 * Turns infix and() and or(), as in `has(..).and().out(..)`, into the prefix form with traversals as arguments. and() has
 * precedence over or(). The operands are the steps on both sides. Some steps are never part of an operand: the first step of a
 * root traversal, all steps up to the last inject() before the first infix step, and a profile() at the end.
 */
export const prefixConnectives = (instructions: readonly Instruction[], isRoot: boolean): readonly Instruction[] => {
  if (!instructions.some(isInfix)) return instructions
  let start = isRoot ? 1 : 0
  const first = instructions.findIndex(isInfix)
  for (let at = start; at < first; at++) if (instructions[at]!.operator === "inject") start = at + 1
  if (start > 0) while (start < instructions.length && isAttached(instructions[start]!)) start++
  const end =
    instructions[instructions.length - 1]!.operator === "profile" ? instructions.length - 1 : instructions.length
  return [...instructions.slice(0, start), disjunction(instructions.slice(start, end)), ...instructions.slice(end)]
}

/** Joins the parts between infix or() steps with or(). Without such a step, the result is the conjunction. */
const disjunction = (instructions: readonly Instruction[]): Instruction => {
  const parts = split(instructions, "or")
  if (parts.length === 1) return conjunction(instructions)
  return new Instruction(
    "or",
    parts.map((part) => new Bytecode([], part.some(isInfix) ? [conjunction(part)] : part))
  )
}

/** Joins the parts between infix and() steps with and(). */
const conjunction = (instructions: readonly Instruction[]): Instruction =>
  new Instruction(
    "and",
    split(instructions, "and").map((part) => new Bytecode([], part))
  )

/** The instructions between the infix steps of this operator. */
const split = (instructions: readonly Instruction[], operator: string): Array<Array<Instruction>> => {
  const parts: Array<Array<Instruction>> = [[]]
  for (const instruction of instructions) {
    if (isInfix(instruction) && instruction.operator === operator) parts.push([])
    else parts[parts.length - 1]!.push(instruction)
  }
  return parts
}
