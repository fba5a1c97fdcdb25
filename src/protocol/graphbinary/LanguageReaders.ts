import {
  Binding,
  Bytecode,
  Instruction,
  Lambda,
  type StrategySpec,
  Traverser
} from "../../process/language/Bytecode.ts"
import type { Predicate } from "../../process/language/Predicate.ts"
import { compact } from "../../structure/containers/Compact.ts"
import { predicateOfArguments } from "../Predicates.ts"
import { strategyOf } from "../Strategies.ts"
import { readCount } from "./CollectionReaders.ts"
import { readItems, STRUCTURE_BYTES, type ValueReader } from "./ValueReader.ts"

// The types of traversals without their type codes: Bytecode and what its instructions contain.

const noInstructions: readonly Instruction[] = []
const noArguments: readonly unknown[] = []

/** Reads a traversal. The format has the steps before the methods of the source. */
export const readBytecode = (reader: ValueReader): Bytecode => {
  const steps = readInstructions(reader)
  return new Bytecode(readInstructions(reader), steps)
}

const readInstructions = (reader: ValueReader): readonly Instruction[] => {
  const count = reader.input.length(8, "the instructions")
  return count === 0 ? noInstructions : compact(readItems(reader, count, [], addInstruction))
}

const addInstruction = (reader: ValueReader, instructions: Array<Instruction>): void => {
  const { input } = reader
  input.heldBytes += STRUCTURE_BYTES
  const name = input.string()
  const count = input.length(2, "the arguments")
  const args = count === 0 ? noArguments : compact(readItems(reader, count, [], addArgument))
  instructions.push(new Instruction(name, args))
}

const addArgument = (reader: ValueReader, args: Array<unknown>): void => {
  args.push(reader.value())
}

/** Reads a predicate. */
export const readPredicate = (reader: ValueReader): Predicate => {
  const name = reader.input.string()
  return predicateOfArguments(name, reader.list())
}

/** Reads a strategy with its configuration. */
export const readStrategy = (reader: ValueReader): StrategySpec => {
  const className = reader.input.string()
  return strategyOf(className, reader.map())
}

/** Reads a value that a driver bound to a name. */
export const readBinding = (reader: ValueReader): Binding => new Binding(reader.input.string(), reader.value())

/** Reads a lambda. */
export const readLambda = ({ input }: ValueReader): Lambda => {
  const language = input.string()
  const script = input.string()
  return new Lambda(script, language, input.int())
}

/** Reads a value and its bulk. */
export const readTraverser = (reader: ValueReader): Traverser => {
  const bulk = readCount(reader)
  return new Traverser(reader.value(), bulk)
}
