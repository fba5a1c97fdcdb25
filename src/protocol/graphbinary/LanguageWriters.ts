import type { Bytecode, Instruction, StrategySpec } from "../../process/language/Bytecode.ts"
import { isSearch, type Predicate, TextP } from "../../process/language/Predicate.ts"
import { argumentsOf, operatorOf } from "../Predicates.ts"
import { strategyClass } from "../Strategies.ts"
import { writeCustomHead } from "./CustomWriters.ts"
import { DataType, janusGraph } from "./DataType.ts"
import { writeNamedValues } from "./ElementWriters.ts"
import type { ValueWriter } from "./ValueWriter.ts"

// The types of traversals: Bytecode and what its instructions contain.

/** Writes a traversal. The format has the steps before the methods of the source. */
export const writeBytecode = (writer: ValueWriter, bytecode: Bytecode): void => {
  writer.output.type(DataType.Bytecode)
  writeInstructions(writer, bytecode.stepInstructions)
  writeInstructions(writer, bytecode.sourceInstructions)
}

const writeInstructions = (writer: ValueWriter, instructions: readonly Instruction[]): void => {
  const { output } = writer
  output.int(instructions.length)
  for (const { args, operator } of instructions) {
    output.string(operator)
    output.int(args.length)
    for (const argument of args) writer.value(argument)
  }
}

/** Writes a predicate. */
export const writePredicate = (writer: ValueWriter, predicate: Predicate): void => {
  const { output } = writer
  if (writer.janusGraph && isSearch(predicate)) {
    writeCustomHead(output, janusGraph.predicate)
    output.string(predicate.operator)
    writer.value(predicate.value)
    return
  }
  const values = argumentsOf(predicate)
  output.type(predicate instanceof TextP ? DataType.TextP : DataType.P)
  output.string(operatorOf(predicate))
  output.int(values.length)
  for (const value of values) writer.value(value)
}

/** Writes a strategy with its configuration. */
export const writeStrategy = (writer: ValueWriter, strategy: StrategySpec): void => {
  writer.output.type(DataType.TraversalStrategy)
  writer.output.string(strategyClass(strategy.name))
  writeNamedValues(writer, strategy.configuration)
}
