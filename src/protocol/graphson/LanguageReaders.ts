import {
  Binding,
  Bytecode,
  Instruction,
  Lambda,
  type StrategySpec,
  Traverser
} from "../../process/language/Bytecode.ts"
import type { Predicate } from "../../process/language/Predicate.ts"
import { GremlinMap } from "../../structure/collections/Collections.ts"
import { compact } from "../../structure/containers/Compact.ts"
import { isInt } from "../../structure/numbers/Numbers.ts"
import { OPEN_BRACE } from "../json/JsonCharacters.ts"
import { skipValue } from "../json/ValueSkip.ts"
import { predicateOfValue } from "../Predicates.ts"
import { strategyOf } from "../Strategies.ts"
import { readElements, type ValueReader } from "./ValueReader.ts"

// The types of traversals: Bytecode and what its instructions contain.

/** Maximum number of members of an object that {@link readFewMembers} reads. No time slice interrupts this function. */
const MAX_MEMBERS = 1_000

/** Reads the members of an object with few members. `member` must read the value of the member with this name. */
export const readFewMembers = (reader: ValueReader, member: (name: string) => void): void => {
  const { json } = reader
  if (!json.openObject()) return
  let count = 0
  do {
    if (++count > MAX_MEMBERS) json.fail(`The object of a type has more than ${MAX_MEMBERS} members`)
    member(json.memberName())
  } while (json.moreMembers())
}

/** The count that a value is. Fails when it is no whole number from 0 on. */
export const countOf = (reader: ValueReader, value: unknown): number => {
  const number = typeof value === "bigint" ? Number(value) : value
  if (typeof number === "number" && Number.isSafeInteger(number) && number >= 0) return number
  reader.json.fail("A count is no whole number from 0 on")
}

/** Reads a predicate: an object of its name and its value. The meaning of the value depends on the name. */
export const readPredicate = (reader: ValueReader): Predicate => {
  let name: unknown
  let value: unknown = null
  readFewMembers(reader, (member) => {
    if (member === "predicate") name = reader.value()
    else if (member === "value") value = reader.value()
    else skipValue(reader.json)
  })
  if (typeof name !== "string") return reader.json.fail("A predicate has no name")
  return predicateOfValue(name, value)
}

/** Reads a lambda. */
export const readLambda = (reader: ValueReader): Lambda => {
  let script: unknown
  let language: unknown = "gremlin-groovy"
  let argumentCount: unknown = -1
  readFewMembers(reader, (member) => {
    if (member === "script") script = reader.value()
    else if (member === "language") language = reader.value()
    else if (member === "arguments") argumentCount = reader.value()
    else skipValue(reader.json)
  })
  if (typeof script !== "string") return reader.json.fail("A g:Lambda has no script")
  if (typeof language !== "string") return reader.json.fail("The language of a g:Lambda is no text")
  if (typeof argumentCount !== "number" || !isInt(argumentCount))
    return reader.json.fail("The number of arguments of a g:Lambda is no Int32")
  return new Lambda(script, language, argumentCount)
}

/** Reads a value that a driver bound to a name. */
export const readBinding = (reader: ValueReader): Binding => {
  let key: unknown
  let value: unknown = null
  readFewMembers(reader, (member) => {
    if (member === "key") key = reader.value()
    else if (member === "value") value = reader.value()
    else skipValue(reader.json)
  })
  if (typeof key !== "string") return reader.json.fail("A g:Binding has no key")
  return new Binding(key, value)
}

/** Reads a value and its bulk. */
export const readTraverser = (reader: ValueReader): Traverser => {
  let bulk = 1
  let value: unknown = null
  readFewMembers(reader, (member) => {
    if (member === "bulk") bulk = countOf(reader, reader.value())
    else if (member === "value") value = reader.value()
    else skipValue(reader.json)
  })
  return new Traverser(value, bulk)
}

const noInstructions: readonly Instruction[] = []
const noArguments: readonly unknown[] = []

/** Reads a traversal: its source and step instructions. */
export const readBytecode = (reader: ValueReader): Bytecode => {
  const { json } = reader
  let source = noInstructions
  let step = noInstructions
  if (!json.openObject()) return new Bytecode(source, step)
  do {
    const member = json.memberName()
    if (member === "step") step = readInstructions(reader)
    else if (member === "source") source = readInstructions(reader)
    else skipValue(json)
  } while (json.moreMembers())
  return new Bytecode(source, step)
}

const readInstructions = (reader: ValueReader): readonly Instruction[] =>
  reader.json.openArray() ? compact(readElements(reader, [], addInstruction)) : noInstructions

/** Reads an instruction: an array of the operator and its arguments. */
const addInstruction = (reader: ValueReader, instructions: Array<Instruction>): void => {
  const { json } = reader
  if (!json.openArray()) json.fail("An instruction has no name")
  const name = json.string()
  const loop = json.slices?.enter(json.position, [], json.position, null)
  const args = (loop?.items ?? []) as Array<unknown>
  if (loop !== undefined) json.position = loop.position
  while (json.moreElements()) {
    args.push(reader.value())
    json.slices?.step(json.position, null)
  }
  json.slices?.leave(args.length)
  instructions.push(new Instruction(name, args.length === 0 ? noArguments : compact(args)))
}

/** Reads a strategy: {fqcn, conf} as TinkerPop 3.8 has it, or the configuration alone as older versions have it. */
export const readStrategy = (reader: ValueReader, name: string): StrategySpec => {
  const map = reader.json.peek() === OPEN_BRACE ? reader.map() : reader.value()
  if (!(map instanceof GremlinMap)) return reader.json.fail(`The configuration of ${name} is no map`)
  const configuration = map.get("conf")
  const className = map.get("fqcn")
  if (typeof className !== "string" || map.size > 2) return strategyOf(name, map)
  return strategyOf(
    name === "TraversalStrategy" ? className : name,
    configuration instanceof GremlinMap ? configuration : new GremlinMap()
  )
}
