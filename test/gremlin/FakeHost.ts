import type { HostCall } from "../../src/gremlin/HostCall.ts"
import { evaluate } from "../../src/gremlin/Interpreter.ts"
import { parseScript } from "../../src/gremlin/Parser.ts"
import { type Scope, ScriptVariables } from "../../src/gremlin/Scope.ts"
import { HostObject, ScriptSource } from "../../src/gremlin/ScriptObjects.ts"
import type { ScriptMemory } from "../../src/gremlin/script/budget/ScriptMemory.ts"
import { translate } from "../../src/gremlin/Translator.ts"
import { Bytecode } from "../../src/process/language/Bytecode.ts"
import { compiledPattern } from "../../src/process/predicates/RegularExpression.ts"
import { TimeSlice } from "../../src/scheduling/TimeSlice.ts"
import { ClassName } from "../../src/structure/scalars/ClassNames.ts"
import { text } from "../../src/structure/texts/Text.ts"
import { frozen } from "../structure/Frozen.ts"

/** A value as text. A class is its simple name. */
const named = (value: unknown): string => (value instanceof ClassName ? value.simpleName : text(value))

/** A call of a script to its host, as text. */
export const asked = (call: HostCall): string => {
  switch (call.kind) {
    case "traversal": {
      const shown = (value: unknown): string => (value instanceof Bytecode ? translate(value, "__") : text(value))
      const variables = Array.from(call.variables, ([name, value]) => ` ${name}=${shown(value)}`).join("")
      const limit = call.limit === undefined ? "" : ` limit ${call.limit}`
      // The names of expressions contain their position in the script.
      return `${call.want} ${translate(call.bytecode, call.source.name)}${limit}${variables}`.replace(/#\d+/g, "#")
    }
    case "transaction":
      return `${call.action} ${call.of instanceof HostObject ? call.of.type : call.of.name}`
    case "method":
      return `${named(call.of)}.${call.name}(${call.args.map(named).join(", ")})`
    case "begun":
    case "pause":
      return call.kind
  }
}

export const g = new ScriptSource("g")

/** The graph of the scope. */
export const graph = new HostObject("graph", new Set(["createIndex", "openManagement"]), null, g)

/** A host without a graph. It records the calls of scripts, and answers them with a function of the test. */
export class FakeHost {
  readonly calls: Array<string> = []
  /** What scripts printed. */
  printed = ""
  readonly scope: Scope
  readonly #answer: (call: HostCall) => unknown

  constructor(answer: (call: HostCall) => unknown = () => undefined, bindings: Readonly<Record<string, unknown>> = {}) {
    this.#answer = answer
    this.scope = {
      variables: new ScriptVariables(),
      isKept: true,
      globals: new Map<string, unknown>([
        ["g", g],
        ["graph", graph]
      ]),
      sourceOf: () => g,
      classes: new Map([
        ["ManagementSystem", new Set(["awaitGraphIndexStatus"])],
        ["Mapping", new Set(["asParameter"])]
      ]),
      patterns: compiledPattern,
      print: (printed) => {
        this.printed += printed
      }
    }
    for (const [name, value] of Object.entries(bindings)) this.scope.variables.bind(name, frozen(value))
  }

  /** Runs a script and returns its value. */
  run(script: string, slice = new TimeSlice(), memory?: ScriptMemory, language?: string): unknown {
    const scope = memory === undefined ? this.scope : { ...this.scope, memory }
    const evaluation = evaluate(parseScript(script, { language }), scope, slice)
    for (let step = evaluation.next(); ; ) {
      if (step.done === true) return step.value
      this.calls.push(asked(step.value))
      step = evaluation.next(this.#answer(step.value))
    }
  }
}

/** Runs a script whose traversals all have these results, and returns its value. */
export const resultOf = (script: string, results: readonly unknown[] = [], bindings = {}): unknown =>
  new FakeHost((call) => (call.kind === "traversal" ? [...frozen(results)] : undefined), bindings).run(script)
