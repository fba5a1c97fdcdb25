import type { Binding, Bytecode, Instruction, Lambda, StrategySpec } from "../../process/language/Bytecode.ts"
import { ConnectiveP, isSearch, NotP, type Predicate, TextP } from "../../process/language/Predicate.ts"
import { escaped, quoted } from "../json/JsonText.ts"
import { operatorOf } from "../Predicates.ts"
import { strategyClass } from "../Strategies.ts"

// The types of traversals in GraphSON 2 and 3: Bytecode and what its instructions contain.

/** A writer of GraphSON 2 or 3, as these types need it. */
export interface LanguageForms {
  /** The JSON of a value. */
  value(value: unknown): string
  /** The JSON of several values, with commas between them. */
  all(values: readonly unknown[]): string
  /** The JSON of a scalar with its type. */
  scalar(type: string, json: string): string
  /** A JSON object with these members. */
  object(members: ReadonlyMap<string, unknown>): string
}

/** The JSON of a traversal. */
export const bytecodeJson = (forms: LanguageForms, { sourceInstructions, stepInstructions }: Bytecode): string => {
  const parts: Array<string> = []
  if (sourceInstructions.length > 0) parts.push(`"source":${instructionsJson(forms, sourceInstructions)}`)
  if (stepInstructions.length > 0) parts.push(`"step":${instructionsJson(forms, stepInstructions)}`)
  return forms.scalar("g:Bytecode", `{${parts.join(",")}}`)
}

const instructionsJson = (forms: LanguageForms, instructions: readonly Instruction[]): string =>
  `[${instructions.map(({ operator, args }) => `[${forms.all([operator, ...args])}]`).join(",")}]`

/** The JSON of a predicate. `janusGraph`: the predicates of JanusGraph have its type. */
export const predicateJson = (forms: LanguageForms, predicate: Predicate, janusGraph: boolean): string => {
  const value =
    predicate instanceof ConnectiveP
      ? `[${forms.all(predicate.predicates)}]`
      : forms.value(predicate instanceof NotP ? predicate.predicate : predicate.value)
  const plain = predicate instanceof TextP ? "g:TextP" : "g:P"
  const type = janusGraph && isSearch(predicate) ? "janusgraph:JanusGraphP" : plain
  return forms.scalar(type, `{"predicate":${quoted(operatorOf(predicate))},"value":${value}}`)
}

/** The JSON of a strategy, in the form of TinkerPop 3.8. */
export const strategyJson = (forms: LanguageForms, { configuration, name }: StrategySpec): string =>
  forms.scalar(`g:${escaped(name)}`, `{"fqcn":${quoted(strategyClass(name))},"conf":${forms.object(configuration)}}`)

/** The JSON of a value that a driver bound to a name. */
export const bindingJson = (forms: LanguageForms, { key, value }: Binding): string =>
  forms.scalar("g:Binding", `{"key":${quoted(key)},"value":${forms.value(value)}}`)

/** The JSON of a lambda. */
export const lambdaJson = (forms: LanguageForms, { argumentCount, language, script }: Lambda): string =>
  forms.scalar("g:Lambda", `{"script":${quoted(script)},"language":${quoted(language)},"arguments":${argumentCount}}`)
