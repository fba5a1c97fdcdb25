import type { Value } from "../../conformance/Value.ts"
import { enumCodes } from "../../conformance/wire/GraphBinary.ts"
import { encode, int, some, text } from "../../conformance/wire/GraphBinaryRequest.ts"
import type { Argument, Call, Predicate, Strategy, Traversal } from "./Traversal.ts"

/** Packages of TinkerPop's strategies, relative to `org.apache.tinkerpop.gremlin.process`. */
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

/** The fields of every request message: its id, its traversal source and its time limit. */
export interface Message {
  readonly requestId: string
  readonly source: string
  /** Milliseconds. */
  readonly evaluationTimeout: number
}

/** The name of a request argument, and its encoded value. */
type RequestArgument = readonly [string, Buffer]

const framed = (
  requestId: string,
  [op, processor]: readonly [string, string],
  args: ReadonlyArray<RequestArgument>
): Buffer => {
  const id = Buffer.from(requestId.replaceAll("-", ""), "hex")
  const entries = args.flatMap(([key, value]) => [encode(string(key)), value])
  return Buffer.concat([Buffer.from([0x81]), id, text(op), text(processor), int(args.length), ...entries])
}

const message = (
  { requestId, source, evaluationTimeout }: Message,
  to: readonly [string, string],
  args: ReadonlyArray<RequestArgument>
): Buffer =>
  framed(requestId, to, [
    ...args,
    ["aliases", encode({ kind: "map", entries: [[string("g"), string(source)]] })],
    ["evaluationTimeout", encode({ kind: "long", value: BigInt(evaluationTimeout) })]
  ])

/** A request with a script in a session. The session keeps its variables for the next request. */
export const sessionMessage = (requestId: string, session: string, script: string): Buffer =>
  framed(
    requestId,
    ["eval", "session"],
    [
      ["session", encode(string(session))],
      ["gremlin", encode(string(script))],
      ["language", encode(string("gremlin-groovy"))]
    ]
  )

/** A request that ends a session. */
export const closeMessage = (requestId: string, session: string): Buffer =>
  framed(requestId, ["close", "session"], [["session", encode(string(session))]])

/** A request with a traversal as bytecode. */
export const bytecodeMessage = (to: Message, traversal: Traversal): Buffer =>
  message(to, ["bytecode", "traversal"], [["gremlin", bytecode(traversal.source, traversal.steps)]])

/** A request with a script, in the Gremlin language or in Groovy. */
export const scriptMessage = (to: Message, script: string, language = "gremlin-lang"): Buffer =>
  message(
    to,
    ["eval", ""],
    [
      ["gremlin", encode(string(script))],
      ["language", encode(string(language))]
    ]
  )
