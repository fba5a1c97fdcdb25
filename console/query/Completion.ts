import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete"
import { predicates, sourceMethods, spawns, steps, terminals, textPredicates } from "../../src/gremlin/parser/Steps.ts"
import { names } from "../schema/Names.ts"
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

/** What may stand at the cursor: steps, predicates, labels and keys of the graph, bindings. */
export const complete = (context: CompletionContext): CompletionResult | null => {
  const before = context.state.sliceDoc(Math.max(0, context.pos - 400), context.pos)
  const label = TAKES_LABEL.exec(before)
  if (label !== null) return inText(context, label[1] ?? "", labelsFor(before))
  const key = TAKES_KEY.exec(before)
  if (key !== null) return inText(context, key[1] ?? "", keyOptions())
  const word = context.matchBefore(/[\w.]*$/)
  if (word === null) return null
  const dot = before.lastIndexOf(".")
  const typed = /[A-Za-z_]\w*$/.exec(before)?.[0] ?? ""
  const isMember = dot >= 0 && dot === before.length - typed.length - 1
  if (isMember) {
    const isSource = /(?:^|[^\w.])g\.\w*$/.test(before) || /\bwith\w*\([^()]*\)\.\w*$/.test(before)
    const options = isSource ? afterSource : [...stepOptions, ...terminalOptions]
    return { from: context.pos - typed.length, options, validFor: /^\w*$/ }
  }
  if (!context.explicit && typed === "") return null
  const inside = /\([^()]*$/.test(before)
  const options = inside
    ? [...predicateOptions, ...stepOptions, ...bindingOptions()]
    : [...sourceOptions, ...bindingOptions()]
  return { from: context.pos - typed.length, options, validFor: /^\w*$/ }
}

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
