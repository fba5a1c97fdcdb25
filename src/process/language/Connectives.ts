import { Bytecode, Instruction } from "./Bytecode.ts"
import { modulatorOf } from "./Modulators.ts"

/** Whether an instruction modifies the one before it. */
const isAttached = ({ operator }: Instruction): boolean =>
  operator === "as" || modulatorOf(operator)?.precedesRepeat === false

const isInfix = ({ operator, args }: Instruction): boolean =>
  (operator === "and" || operator === "or") && args.length === 0

/**
 * Turns infix and() and or(), as in `has(..).and().out(..)`, into the prefix form with traversals as arguments. and() has
 * precedence over or(). The operands are all steps on either side, except the first step of a root traversal, all steps up
 * to an inject(), and a profile() at the end.
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

const disjunction = (instructions: readonly Instruction[]): Instruction => {
  const parts = split(instructions, "or")
  if (parts.length === 1) return conjunction(instructions)
  return new Instruction(
    "or",
    parts.map((part) => new Bytecode([], part.some(isInfix) ? [conjunction(part)] : part))
  )
}

const conjunction = (instructions: readonly Instruction[]): Instruction =>
  new Instruction(
    "and",
    split(instructions, "and").map((part) => new Bytecode([], part))
  )

const split = (instructions: readonly Instruction[], operator: string): Array<Array<Instruction>> => {
  const parts: Array<Array<Instruction>> = [[]]
  for (const instruction of instructions) {
    if (isInfix(instruction) && instruction.operator === operator) parts.push([])
    else parts[parts.length - 1]!.push(instruction)
  }
  return parts
}
