import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete"
import { predicates, spawns, terminals, textPredicates } from "../../src/gremlin/parser/Methods.ts"
import { isEnumName } from "../../src/gremlin/parser/Names.ts"
import { Kind } from "../../src/process/language/Kinds.ts"
import { sourceMethods, steps } from "../../src/process/language/StepSignatures.ts"
import { type EnumName, enums } from "../../src/structure/scalars/Enums.ts"
import { names } from "../schema/Names.ts"
import { rankAfter } from "./Modulators.ts"
import { isAfterSource, type Position, positionAfter } from "./Position.ts"
import { bindings } from "./Query.ts"

const option =
  (type: string, detail: string) =>
  (label: string): Completion => ({ label, type, detail })

const call = (name: string, signatures: ReadonlyArray<{ readonly text: string }>): Completion => ({
  label: name,
  type: "function",
  detail: `(${signatures[0]?.text ?? ""})`,
  apply: `${name}(`
})

const stepOptions = [...steps].map(([name, { signatures }]) => call(name, signatures))
const terminalOptions = [...terminals].map(([name, { signatures }]) => call(name, signatures))
const afterSource = [
  ...[...spawns].map((name) => call(name, steps.get(name)?.signatures ?? [])),
  ...[...sourceMethods].map(([name, { signatures }]) => call(name, signatures))
]
const predicateOptions = [
  ...[...predicates].map(([name, { signatures }]) => call(`P.${name}`, signatures)),
  ...[...textPredicates].map(([name, { signatures }]) => call(`TextP.${name}`, signatures))
]

/** Calls whose first text is a label. */
const TAKES_LABEL = /\b(?:hasLabel|out|in|both|outE|inE|bothE|addV|addE|toE)\((?:[^()]*,\s*)?['"]([\w ]*)$/
/** Calls whose first text is a property key. */
const TAKES_KEY =
  /\b(?:has|hasNot|values|valueMap|elementMap|properties|property|by|propertyMap)\((?:['"][^'"]*['"],\s*)*['"]([\w ]*)$/

/** Characters before the cursor that are read to find its place. */
const READ_CHARS = 5_000

/** What may stand at the cursor: steps, predicates, constants, labels and keys of the graph, bindings. */
export const complete = (context: CompletionContext): CompletionResult | null => {
  const before = context.state.sliceDoc(Math.max(0, context.pos - READ_CHARS), context.pos)
  const label = TAKES_LABEL.exec(before)
  if (label !== null) return inText(context, label[1] ?? "", labelsFor(before))
  const key = TAKES_KEY.exec(before)
  if (key !== null) return inText(context, key[1] ?? "", keyOptions())
  const position = positionAfter(before)
  if (position.isInText) return null
  if (position.owner === undefined && position.typed === "" && !context.explicit) return null
  const options = position.owner === undefined ? freeOptions(position) : memberOptions(position.owner, before, position)
  return { from: context.pos - position.typed.length, options, validFor: /^\w*$/ }
}

/** What may stand after a dot. */
const memberOptions = (owner: string, before: string, { call: outer, chain }: Position): ReadonlyArray<Completion> => {
  if (owner === "P") return withoutPrefix(predicateOptions, "P.")
  if (owner === "TextP") return withoutPrefix(predicateOptions, "TextP.")
  if (owner === "__") return stepsAfter([])
  if (isEnumName(owner)) return constantsOf(owner)
  if (isAfterSource(before)) return afterSource
  if (/\btx\(\)\s*\.\s*\w*$/.test(before)) return transactionOptions
  // A traversal inside of a step has no method that ends it.
  const following = stepsAfter(chain)
  return outer !== undefined && steps.has(outer.name) ? following : [...following, ...terminalOptions]
}

/** Places in a list that a modulator which fits moves up, or one that may stand here moves down. */
const RANK_BOOST = 10

/** The steps that may follow a chain of calls. */
const stepsAfter = (chain: ReadonlyArray<string>): ReadonlyArray<Completion> => {
  const rankOf = rankAfter(chain)
  return stepOptions.flatMap((found) => {
    const rank = rankOf(found.label)
    return rank === undefined ? [] : [rank === 0 ? found : { ...found, boost: rank * RANK_BOOST }]
  })
}

const withoutPrefix = (options: ReadonlyArray<Completion>, prefix: string): ReadonlyArray<Completion> =>
  options
    .filter(({ label }) => label.startsWith(prefix))
    .map((found) => ({
      ...found,
      label: found.label.slice(prefix.length),
      apply: `${found.label.slice(prefix.length)}(`
    }))

const constantsOf = (name: EnumName): ReadonlyArray<Completion> =>
  Object.keys(enums[name]).map(option("constant", name))

const transactionOptions = ["commit()", "rollback()", "open()", "isOpen()"].map(option("function", "transaction"))

/** What may begin an expression: in a call, what its argument accepts. */
const freeOptions = ({ call: outer }: Position): ReadonlyArray<Completion> => {
  if (outer === undefined) return [...sourceOptions, ...bindingOptions()]
  const spec = steps.get(outer.name) ?? sourceMethods.get(outer.name) ?? predicates.get(outer.name)
  if (spec === undefined) return [...sourceOptions, ...predicateOptions, ...stepsAfter([]), ...bindingOptions()]
  const accepts = spec.signatures.reduce((all, { accepts, rest }) => all | (accepts[outer.argument] ?? rest), 0)
  // An argument of any value accepts constants and traversals, too, but they are rarely meant.
  const isAnyValue = (accepts & Kind.map) !== 0 && (accepts & Kind.list) !== 0
  const constants = isAnyValue ? [] : enumNames.filter((name) => (accepts & Kind[name]) !== 0)
  return [
    ...constants.flatMap((name) =>
      Object.keys(enums[name]).map((constant) => option("constant", name)(`${name}.${constant}`))
    ),
    ...((accepts & Kind.predicate) !== 0 ? predicateOptions : []),
    ...((accepts & Kind.traversal) !== 0 && !isAnyValue ? stepsAfter([]) : []),
    ...bindingOptions()
  ]
}

const enumNames = Object.keys(enums) as ReadonlyArray<EnumName>

const sourceOptions: ReadonlyArray<Completion> = [
  { label: "g", type: "variable", detail: "traversal source", apply: "g." }
]

const bindingOptions = (): ReadonlyArray<Completion> =>
  bindings.value.filter(({ name }) => name !== "").map(({ name }) => option("variable", "binding")(name))

const labelsFor = (before: string): ReadonlyArray<Completion> => {
  const isVertex = /\b(?:hasLabel|addV)\([^()]*$/.test(before)
  const edges = names.value.edgeLabels.map(option("class", "edge label"))
  const vertices = names.value.vertexLabels.map(option("class", "vertex label"))
  if (/\bhasLabel\([^()]*$/.test(before)) return [...vertices, ...edges]
  return isVertex ? vertices : edges
}

const keyOptions = (): ReadonlyArray<Completion> =>
  names.value.keys.map((key) => option("property", names.value.indexed.has(key) ? "key, indexed" : "key")(key))

const inText = (
  context: CompletionContext,
  typed: string,
  options: ReadonlyArray<Completion>
): CompletionResult | null =>
  options.length === 0 ? null : { from: context.pos - typed.length, options, validFor: /^[\w ]*$/ }
