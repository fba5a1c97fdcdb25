import { evaluate } from "../../gremlin/Interpreter.ts"
import { type Scope, ScriptVariables } from "../../gremlin/Scope.ts"
import type { Script } from "../../gremlin/Script.ts"
import { ScriptSource } from "../../gremlin/ScriptObjects.ts"
import { ScriptMemory } from "../../gremlin/script/budget/ScriptMemory.ts"
import type { ClosureBinder } from "../../process/language/Closure.ts"
import { compiledPattern } from "../../process/predicates/RegularExpression.ts"
import { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { sourceNamed } from "../../services/GraphRegistry.ts"
import type { Element } from "../../structure/elements/Element.ts"
import { scriptClasses } from "../management/ClassCalls.ts"
import { heldSource, homeOf } from "../management/GraphHandles.ts"
import { plainSource } from "./GraphScripting.ts"
import { PrintedText } from "./PrintedText.ts"
import type { Program } from "./Program.ts"
import type { ProgramContext, ProgramOwner, Written } from "./ProgramContext.ts"
import { RequestScriptHost, type TraversalPrograms } from "./RequestScriptHost.ts"
import { defaultSource, noVariables } from "./RequestVariables.ts"
import { ScriptGlobals } from "./ScriptGlobals.ts"
import { ScriptProgram } from "./ScriptProgram.ts"

/**
 * Makes the programs of scripts that are more than one traversal, and the closures of traversals. It imports the interpreter and all
 * that scripts can call. Import it late: a server that runs only traversals never needs it.
 */
export class RequestScripting {
  readonly #programs: TraversalPrograms
  readonly #context: ProgramContext
  readonly #globals: ScriptGlobals

  /** `programs` makes the programs of the traversals that scripts run. */
  constructor(programs: TraversalPrograms, context: ProgramContext) {
    this.#programs = programs
    this.#context = context
    this.#globals = new ScriptGlobals(context.registry)
  }

  /** The program of a script. `bound`: the variables of the request. Throws InvalidRequestArguments for an unknown alias. */
  interpreted(script: Script, bound: ReadonlyMap<string, unknown>, owner: ProgramOwner): Program {
    const { scope, scriptHost } = this.#scripting(bound, owner)
    const slice = new TimeSlice()
    return new ScriptProgram(evaluate(script, scope, slice), scriptHost, slice)
  }

  /** What binds the lambdas of a traversal that no script contains. */
  lambdas({ bytecode, source, variables }: Written, owner: ProgramOwner): ClosureBinder {
    const { scriptHost } = this.#scripting(noVariables, owner)
    const home = new ScriptSource(source.name)
    const call = { kind: "traversal", bytecode, variables: variables ?? noVariables, source: home } as const
    return scriptHost.closuresOf({ ...call, want: "list", limit: undefined }, source)
  }

  /** The variables and the host of a script. */
  #scripting(bound: ReadonlyMap<string, unknown>, owner: ProgramOwner) {
    const globals = this.#globals.of(owner.request)
    const variables = owner.session?.variables ?? new ScriptVariables()
    const isKept = owner.session !== null
    if (!isKept) for (const [name, value] of bound) variables.bind(name, value)
    this.#define(variables)
    const printed = new PrintedText()
    const memory = new ScriptMemory(variables, isKept)
    owner.host.scripting(memory)
    const traverse: Scope["traverse"] = (call, slice) => scriptHost.traverse(call, slice)
    const scope: Scope = {
      variables,
      isKept,
      globals,
      sourceOf: (element) => this.#sourceOf(element, globals, owner),
      classes: scriptClasses,
      patterns: compiledPattern,
      memory,
      shown: (value) => scriptHost.shown(value),
      sendsResults: true,
      get traverse() {
        return scriptHost.mayTraverse ? traverse : undefined
      },
      print: (text) => printed.add(text)
    }
    const scriptHost = new RequestScriptHost(this.#programs, this.#context, owner, scope, printed)
    return { scope, scriptHost }
  }

  /** Adds what initialisation scripts define, except where the session or request has a name itself. */
  #define(variables: ScriptVariables): void {
    const { definitions } = this.#context.registry
    if (definitions === undefined) return
    for (const [name, value] of definitions.values) if (!variables.has(name)) variables.bind(name, value)
    for (const [name, functions] of definitions.functions) {
      if (!variables.functions.has(name)) variables.functions.set(name, functions)
    }
  }

  /** The source for calls on an element: `g` if the element belongs to its graph, else the plain source of its own graph. */
  #sourceOf(element: Element, globals: ReadonlyMap<string, unknown>, { transactions }: ProgramOwner): ScriptSource {
    const source = defaultSource(globals)
    const home = homeOf(element, transactions)
    if (home === undefined) return source
    if (home.separate !== undefined || transactions.owns(home.store)) return heldSource(home)
    return sourceNamed(this.#context.registry, source.name)?.store === home.store ? source : plainSource(home.store)
  }
}
