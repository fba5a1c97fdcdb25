import type { Value } from "../../conformance/Value.ts"
import { enumCodes } from "../../conformance/wire/GraphBinary.ts"
import { encode, int, some, text } from "../../conformance/wire/GraphBinaryRequest.ts"
import type { Argument, Call, Predicate, Strategy, Traversal } from "./Traversal.ts"

/** Packages of TinkerPop's strategies below `org.apache.tinkerpop.gremlin.process`. */
const packages: Readonly<Record<string, string>> = {
  AdjacentToIncidentStrategy: "traversal.strategy.optimization",
  ConnectiveStrategy: "traversal.strategy.decoration",
  CountStrategy: "traversal.strategy.optimization",
  EarlyLimitStrategy: "traversal.strategy.optimization",
  EdgeLabelVerificationStrategy: "traversal.strategy.verification",
  ElementIdStrategy: "traversal.strategy.decoration",
  FilterRankingStrategy: "traversal.strategy.optimization",
  IdentityRemovalStrategy: "traversal.strategy.optimization",
  IncidentToAdjacentStrategy: "traversal.strategy.optimization",
  InlineFilterStrategy: "traversal.strategy.optimization",
  LazyBarrierStrategy: "traversal.strategy.optimization",
  MatchPredicateStrategy: "traversal.strategy.optimization",
  OptionsStrategy: "traversal.strategy.decoration",
  OrderLimitStrategy: "traversal.strategy.optimization",
  PartitionStrategy: "traversal.strategy.decoration",
  PathProcessorStrategy: "traversal.strategy.optimization",
  PathRetractionStrategy: "traversal.strategy.optimization",
  ProductiveByStrategy: "traversal.strategy.optimization",
  ReadOnlyStrategy: "traversal.strategy.verification",
  RepeatUnrollStrategy: "traversal.strategy.optimization",
  ReservedKeysVerificationStrategy: "traversal.strategy.verification",
  SeedStrategy: "traversal.strategy.decoration",
  SubgraphStrategy: "traversal.strategy.decoration",
  VertexProgramStrategy: "computer.traversal.strategy.decoration"
}

const className = (name: string): string => {
  const found = packages[name]
  if (found === undefined) throw new Error(`the package of ${name} is not known`)
  return `org.apache.tinkerpop.gremlin.process.${found}.${name}`
}

const enumCode = (type: string): number => {
  const code = Object.keys(enumCodes).find((code) => enumCodes[Number(code)] === type)
  if (code === undefined) throw new Error(`GraphBinary has no enum ${type}`)
  return Number(code)
}

const many = (items: ReadonlyArray<Buffer>): Buffer => Buffer.concat([int(items.length), ...items])

const predicate = (argument: Predicate): Buffer => {
  switch (argument.kind) {
    case "P":
    case "TextP":
      return some(argument.kind === "P" ? 0x1e : 0x28, text(argument.name), many(argument.args.map(encodeArgument)))
    case "both":
    case "either": {
      const name = argument.kind === "both" ? "and" : "or"
      return some(0x1e, text(name), many([predicate(argument.left), predicate(argument.right)]))
    }
    case "negated":
      return some(0x1e, text("not"), many([predicate(argument.inner)]))
  }
}

const strategy = ({ name, configuration }: Strategy): Buffer =>
  some(
    0x29,
    text(className(name)),
    int(configuration.length),
    ...configuration.flatMap(([key, value]) => [encode({ kind: "string", value: key }), encodeArgument(value)])
  )

const encodeArgument = (argument: Argument): Buffer => {
  switch (argument.kind) {
    case "value":
      return encode(argument.value)
    case "child":
      return bytecode([], argument.steps)
    case "cardinality": {
      const cardinality = some(enumCode("Cardinality"), encode({ kind: "string", value: argument.name }))
      const source = Buffer.concat([text("CardinalityValueTraversal"), many([cardinality, encode(argument.value)])])
      return some(0x15, int(0), many([source]))
    }
    case "map":
      return some(
        0x0a,
        int(argument.entries.length),
        ...argument.entries.flatMap(([key, value]) => [encode(key), encodeArgument(value)])
      )
    case "strategy":
      return strategy(argument)
    case "class":
      return some(0x06, text(className(argument.name)))
    default:
      return predicate(argument)
  }
}

const instruction = ({ name, args }: Call): Buffer => Buffer.concat([text(name), many(args.map(encodeArgument))])

const bytecode = (source: ReadonlyArray<Call>, steps: ReadonlyArray<Call>): Buffer =>
  some(0x15, many(steps.map(instruction)), many(source.map(instruction)))

const string = (value: string): Value => ({ kind: "string", value })

/** The body of a request message, from its version on: what runs, on which traversal source, and for how long at most. */
export interface Message {
  readonly requestId: string
  readonly source: string
  /** Milliseconds. */
  readonly evaluationTimeout: number
}

const message = (
  { requestId, source, evaluationTimeout }: Message,
  [op, processor]: readonly [string, string],
  args: ReadonlyArray<readonly [string, Buffer]>
): Buffer => {
  const all = [
    ...args,
    ["aliases", encode({ kind: "map", entries: [[string("g"), string(source)]] })],
    ["evaluationTimeout", encode({ kind: "long", value: BigInt(evaluationTimeout) })]
  ] as const
  const entries = all.flatMap(([key, value]) => [encode(string(key)), value])
  const id = Buffer.from(requestId.replaceAll("-", ""), "hex")
  return Buffer.concat([Buffer.from([0x81]), id, text(op), text(processor), int(all.length), ...entries])
}

/** A request with a traversal as bytecode. */
export const bytecodeMessage = (to: Message, traversal: Traversal): Buffer =>
  message(to, ["bytecode", "traversal"], [["gremlin", bytecode(traversal.source, traversal.steps)]])

/** A request with a script in the Gremlin language. */
export const scriptMessage = (to: Message, script: string): Buffer =>
  message(
    to,
    ["eval", ""],
    [
      ["gremlin", encode(string(script))],
      ["language", encode(string("gremlin-lang"))]
    ]
  )
