import { evaluate } from "../../gremlin/Interpreter.ts"
import { type ParseOptions, parseScript, sliceLength } from "../../gremlin/Parser.ts"
import { type Scope, TraversalSource as ScriptSource, ScriptVariables } from "../../gremlin/Scope.ts"
import type { Script } from "../../gremlin/Script.ts"
import { translateBeginning } from "../../gremlin/Translator.ts"
import { explainTask, isExplained } from "../../process/compiler/Explain.ts"
import { Planner } from "../../process/compiler/Planner.ts"
import { gremlin } from "../../process/Gremlin.ts"
import type { Bytecode } from "../../process/language/Bytecode.ts"
import { TraversalRun } from "../../process/machine/TraversalRun.ts"
import type { Prepared } from "../../process/plan/Prepared.ts"
import { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { InvalidRequestArguments } from "../../services/Errors.ts"
import type { EvaluationRequest } from "../../services/Evaluator.ts"
import type { TraversalSource } from "../../services/GraphRegistry.ts"
import type { Session } from "../../services/Sessions.ts"
import type { Transactions } from "../../services/Transactions.ts"
import { isCopied } from "../../structure/DeepCopy.ts"
import { GraphOperation } from "./GraphOperation.ts"
import { scriptClasses, scriptGlobals } from "./GraphScripting.ts"
import { IteratedProgram } from "./IteratedProgram.ts"
import { OneResult } from "./OneResult.ts"
import { ParsingProgram } from "./ParsingProgram.ts"
import { accessOf } from "./PlanAccess.ts"
import { PlanningProgram, type TraversalProgram } from "./PlanningProgram.ts"
import type { Program, ProgramHost, Programs } from "./Program.ts"
import type { ProgramContext, ProgramPlace } from "./ProgramContext.ts"
import { RequestScriptHost, type TraversalPrograms } from "./RequestScriptHost.ts"
import { ScriptCache } from "./ScriptCache.ts"
import { ScriptProgram } from "./ScriptProgram.ts"

/** Plans that each traversal source caches. */
const MAX_CACHED_PLANS = 2_000

const noVariables: ReadonlyMap<string, unknown> = new Map()

/** Time for which a traversal is planned at once, before others run. */
const FIRST_SLICE_MS = 2

/** Makes the programs of requests: parses scripts, finds the traversal source, plans. */
export class RequestPrograms implements Programs, TraversalPrograms {
  readonly #slice = new TimeSlice()
  readonly #context: ProgramContext
  readonly #planner = new Planner(gremlin, { cacheSize: MAX_CACHED_PLANS })
  readonly #scripts = new ScriptCache()
  readonly #globals: ReadonlyMap<string, unknown>
  readonly #parseOptions: ParseOptions

  constructor(context: ProgramContext) {
    this.#context = context
    this.#globals = scriptGlobals(context.registry)
    this.#parseOptions = { maximumDepth: context.maxNestingDepth }
  }

  make(request: EvaluationRequest, transactions: Transactions, session: Session | null, host: ProgramHost): Program {
    const { gremlin } = request
    const place: ProgramPlace = { request, transactions, session, host }
    if (session !== null && transactions.dirty) this.#assertMayWrite(session, place)
    return typeof gremlin === "string" ? this.#script(gremlin, place) : this.#bytecode(gremlin, place)
  }

  /** Changes of a session's earlier requests are rolled back when its user may no longer write. */
  #assertMayWrite(session: Session, { request, transactions }: ProgramPlace): void {
    const { authorization } = this.#context
    if (authorization === null) return
    try {
      for (const store of transactions.changed()) authorization.access(request.user, store.name, "write")
    } catch (error) {
      transactions.rollback()
      session.endTransaction()
      throw error
    }
  }

  describe(request: EvaluationRequest): string {
    const { gremlin } = request
    const longest = this.#context.scriptLogLength
    if (typeof gremlin !== "string") return translateBeginning(gremlin, longest)
    return gremlin.length > longest ? `${gremlin.slice(0, longest)}...` : gremlin
  }

  // ---- bytecode

  #bytecode(bytecode: Bytecode, place: ProgramPlace): Program {
    const { host, request, session, transactions } = place
    const name = String(request.aliases?.get("g"))
    const source = this.#context.registry.sources.get(name)
    if (source === undefined) {
      throw new InvalidRequestArguments(
        `The traversal source [${name}] for alias [g] is not configured on the server. There ${this.#sourceNames()}. ` +
          `(Could not rebind [g] to [${name}])`
      )
    }
    const [first] = bytecode.sourceInstructions
    if (first?.operator === "tx") {
      this.#context.authorization?.access(request.user, source.store.name, "read")
      return new GraphOperation(String(first.args[0]), source.store, transactions, session, host)
    }
    // Drivers send bytecode in a session only for a transaction that they commit or roll back themselves.
    session?.beginTransaction()
    if (isExplained(bytecode)) return this.explain(bytecode, null, source, place)
    return this.run(bytecode, null, source, place)
  }

  /** A program whose one result is the text of explain(). */
  explain(
    bytecode: Bytecode,
    variables: ReadonlyMap<string, unknown> | null,
    source: TraversalSource,
    { request, transactions }: ProgramPlace
  ): TraversalProgram {
    const { authorization, environment } = this.#context
    authorization?.access(request.user, source.store.name, "read")
    const transaction = transactions.open(source.store)
    return new OneResult("explain", (slice) =>
      explainTask(bytecode, variables, source.settings, { language: gremlin, transaction, environment }, slice)
    )
  }

  /** A traversal that is ready to run. One that takes long to plan is planned in slices first. */
  run(
    bytecode: Bytecode,
    variables: ReadonlyMap<string, unknown> | null,
    source: TraversalSource,
    place: ProgramPlace
  ): TraversalProgram {
    // Tasks run one at a time and restart the slice: one slice serves the planning of all requests.
    this.#slice.restart(performance.now() + FIRST_SLICE_MS)
    const planning = this.#planner.prepareTask(bytecode, variables, source.settings, this.#slice)
    const first = planning.next()
    if (first.done === true) return this.#planned(first.value, source, place)
    return new PlanningProgram(planning, this.#slice, (prepared) => this.#planned(prepared, source, place))
  }

  #planned(prepared: Prepared, source: TraversalSource, { host, request, transactions }: ProgramPlace): TraversalRun {
    const { authorization, environment } = this.#context
    if (authorization !== null) {
      for (const access of accessOf(prepared.plan)) authorization.access(request.user, source.store.name, access)
    }
    host.prepared(prepared.options, prepared.writes)
    return new TraversalRun(prepared, transactions.open(source.store), environment)
  }

  #sourceNames(): string {
    const names = [...this.#context.registry.sources.keys()]
    return names.length === 1 ? `is only '${names[0]}'` : `are ${names.map((name) => `'${name}'`).join(", ")}`
  }

  // ---- scripts

  #script(text: string, place: ProgramPlace): Program {
    if (text.length > sliceLength)
      return new ParsingProgram(text, this.#parseOptions, (script) => this.#parsed(script, place))
    let script = this.#scripts.get(text)
    if (script === undefined) {
      script = parseScript(text, this.#parseOptions)
      this.#scripts.set(text, script)
    }
    return this.#parsed(script, place)
  }

  #parsed(script: Script, place: ProgramPlace): Program {
    const variables = variablesOf(place)
    return this.#alone(script, variables, place) ?? this.#interpreted(script, variables, place)
  }

  /** A script that is a single traversal needs no interpreter when all of its variables are known. Undefined otherwise. */
  #alone(script: Script, variables: ReadonlyMap<string, unknown>, place: ProgramPlace): Program | undefined {
    const { terminal, traversal } = script
    if (traversal === undefined || script.constants.size > 0 || variables.has(script.source)) return undefined
    if (terminal !== undefined && terminal.name !== "toList" && terminal.name !== "iterate") return undefined
    for (const name of script.variables.keys()) if (!variables.has(name) || isChangeable(name, place)) return undefined
    const source = this.#context.registry.sources.get(this.#aliased(script.source, place.request))
    if (source === undefined) return undefined
    const run = this.run(traversal, variables, source, place)
    return terminal?.name === "iterate" ? new IteratedProgram(run) : run
  }

  /** The name of a traversal source after the request's aliases. */
  #aliased(name: string, { aliases }: EvaluationRequest): string {
    if (aliases === null) return name
    const alias = aliases.get(name)
    return alias === undefined ? name : String(alias)
  }

  #interpreted(script: Script, bound: ReadonlyMap<string, unknown>, place: ProgramPlace): Program {
    const globals = this.#globalsOf(place.request)
    const variables = place.session?.variables ?? new ScriptVariables()
    const isKept = place.session !== null
    if (!isKept) for (const [name, value] of bound) variables.give(name, value)
    const scope: Scope = { variables, isKept, globals, source: defaultSource(globals), classes: scriptClasses }
    return new ScriptProgram(evaluate(script, scope), new RequestScriptHost(this, this.#context, place))
  }

  #globalsOf({ aliases }: EvaluationRequest): ReadonlyMap<string, unknown> {
    if (aliases === null) return this.#globals
    const globals = new Map(this.#globals)
    for (const [name, of] of aliases) {
      const meant = this.#globals.get(String(of))
      if (meant === undefined) {
        throw new InvalidRequestArguments(
          // Clients test for "alias" over a WebSocket, and for "rebind" over HTTP.
          `Could not alias [${name}] to [${String(of)}] as [${String(of)}] not in the Graph or TraversalSource global ` +
            `bindings (Could not rebind [${name}] to [${String(of)}])`
        )
      }
      globals.set(name, meant)
    }
    return globals
  }
}

/** Whether a variable has a collection that later scripts of the session may change: a traversal gets a copy of it. */
const isChangeable = (name: string, { session }: ProgramPlace): boolean =>
  session !== null && !session.variables.isGiven(name) && isCopied(session.variables.get(name))

/** The request's bindings. In a session they become variables of the session. */
const variablesOf = ({ request, session }: ProgramPlace): ReadonlyMap<string, unknown> => {
  if (session === null) return request.bindings ?? noVariables
  if (request.bindings !== null) for (const [name, value] of request.bindings) session.variables.give(name, value)
  return session.variables
}

/** The source that `v.addEdge(...)` and similar methods write with: `g` where it exists. */
const defaultSource = (globals: ReadonlyMap<string, unknown>): ScriptSource => {
  const g = globals.get("g")
  if (g instanceof ScriptSource) return g
  for (const value of globals.values()) if (value instanceof ScriptSource) return value
  return new ScriptSource("g")
}
