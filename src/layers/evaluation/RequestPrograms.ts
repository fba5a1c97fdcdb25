import { evaluate } from "../../gremlin/Interpreter.ts"
import { type ParseOptions, parseScript, sliceLength } from "../../gremlin/Parser.ts"
import {
  type HostAnswer,
  type HostCall,
  HostObject,
  type Scope,
  TraversalSource as ScriptSource,
  ScriptVariables
} from "../../gremlin/Scope.ts"
import type { Script } from "../../gremlin/Script.ts"
import { translateBeginning } from "../../gremlin/Translator.ts"
import { explainTask, isExplained } from "../../process/compiler/Explain.ts"
import { Planner } from "../../process/compiler/Planner.ts"
import { gremlin } from "../../process/Gremlin.ts"
import type { Bytecode } from "../../process/language/Bytecode.ts"
import type { ResultSink } from "../../process/machine/ResultSink.ts"
import { TraversalRun } from "../../process/machine/TraversalRun.ts"
import type { Prepared } from "../../process/plan/Prepared.ts"
import type { RunEnvironment } from "../../process/plan/Run.ts"
import { TimeSlice } from "../../scheduling/TimeSlice.ts"
import type { Authorization } from "../../services/Authorizer.ts"
import { InvalidRequestArguments } from "../../services/Errors.ts"
import type { EvaluationRequest } from "../../services/Evaluator.ts"
import type { GraphRegistry, TraversalSource } from "../../services/GraphRegistry.ts"
import type { Session } from "../../services/Sessions.ts"
import type { Transactions } from "../../services/Transactions.ts"
import { isCopied } from "../../structure/DeepCopy.ts"
import type { GraphStore } from "../../structure/GraphStore.ts"
import { ScriptObject } from "../management/ScriptObject.ts"
import { endTransaction, GraphOperation } from "./GraphOperation.ts"
import { accessOfCall, callMethod, registeredSource, scriptClasses, scriptGlobals } from "./GraphScripting.ts"
import { OneResult } from "./OneResult.ts"
import { ParsingProgram } from "./ParsingProgram.ts"
import { accessOf } from "./PlanAccess.ts"
import { PlanningProgram, type TraversalProgram } from "./PlanningProgram.ts"
import type { Program, ProgramHost, Programs } from "./Program.ts"
import { ScriptCache } from "./ScriptCache.ts"
import { type ScriptHost, ScriptProgram } from "./ScriptProgram.ts"

/** Plans that each traversal source keeps. */
const PLANS = 2_000

/** What a result that a script keeps costs, bytes, about. */
const COLLECTED_VALUE = 64

/** What programs are made with. */
interface ProgramContext {
  readonly registry: typeof GraphRegistry.Service
  readonly environment: RunEnvironment
  readonly authorization: Authorization | null
  readonly maxNestingDepth: number
  readonly scriptLogLength: number
}

const noVariables: ReadonlyMap<string, unknown> = new Map()

/** Milliseconds that a traversal is planned at once before others run. */
const FIRST_SLICE_MS = 2

/** Makes programs of requests: parses scripts, finds the traversal source, plans. */
export class RequestPrograms implements Programs {
  readonly #slice = new TimeSlice()
  readonly #context: ProgramContext
  readonly #planner = new Planner(gremlin, { cacheSize: PLANS })
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
    const place: Place = { request, transactions, session, host }
    if (session !== null && transactions.dirty) this.#stillWrites(session, place)
    return typeof gremlin === "string" ? this.#script(gremlin, place) : this.#bytecode(gremlin, place)
  }

  /** Changes that a session's earlier requests made are not committed by a user who may no longer write. */
  #stillWrites(session: Session, { request, transactions }: Place): void {
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

  #bytecode(bytecode: Bytecode, place: Place): Program {
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
    // Drivers send bytecode in a session for one reason: a transaction that they commit or roll back themselves.
    session?.beginTransaction()
    if (isExplained(bytecode)) return this.explain(bytecode, null, source, place)
    return this.run(bytecode, null, source, place)
  }

  /** A program that says what a traversal would do, as explain() gives it. */
  explain(
    bytecode: Bytecode,
    variables: ReadonlyMap<string, unknown> | null,
    source: TraversalSource,
    { request, transactions }: Place
  ): TraversalProgram {
    const { authorization, environment } = this.#context
    authorization?.access(request.user, source.store.name, "read")
    const transaction = transactions.open(source.store)
    return new OneResult("explain", (slice) =>
      explainTask(bytecode, variables, source.settings, { language: gremlin, transaction, environment }, slice)
    )
  }

  /** A traversal that is ready to run, or is planned first where that takes long. */
  run(
    bytecode: Bytecode,
    variables: ReadonlyMap<string, unknown> | null,
    source: TraversalSource,
    place: Place
  ): TraversalProgram {
    // Tasks run one at a time and restart the slice, so all plannings share it.
    this.#slice.restart(performance.now() + FIRST_SLICE_MS)
    const planning = this.#planner.prepareTask(bytecode, variables, source.settings, this.#slice)
    const first = planning.next()
    if (first.done === true) return this.#planned(first.value, source, place)
    return new PlanningProgram(planning, this.#slice, (prepared) => this.#planned(prepared, source, place))
  }

  #planned(prepared: Prepared, source: TraversalSource, { host, request, transactions }: Place): TraversalRun {
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

  #script(text: string, place: Place): Program {
    if (text.length > sliceLength)
      return new ParsingProgram(text, this.#parseOptions, (script) => this.#parsed(script, place))
    let script = this.#scripts.get(text)
    if (script === undefined) {
      script = parseScript(text, this.#parseOptions)
      this.#scripts.set(text, script)
    }
    return this.#parsed(script, place)
  }

  #parsed(script: Script, place: Place): Program {
    const variables = variablesOf(place)
    return this.#alone(script, variables, place) ?? this.#interpreted(script, variables, place)
  }

  /** A script that is one traversal needs no interpreter, when everything it names is there. */
  #alone(script: Script, variables: ReadonlyMap<string, unknown>, place: Place): Program | undefined {
    const { terminal, traversal } = script
    if (traversal === undefined || script.constants.size > 0 || variables.has(script.source)) return undefined
    if (terminal !== undefined && terminal.name !== "toList" && terminal.name !== "iterate") return undefined
    for (const name of script.variables.keys()) if (!variables.has(name) || isChangeable(name, place)) return undefined
    const source = this.#context.registry.sources.get(this.#aliased(script.source, place.request))
    if (source === undefined) return undefined
    const run = this.run(traversal, variables, source, place)
    return terminal?.name === "iterate" ? new Iterated(run) : run
  }

  /** What a name means after the request's aliases. */
  #aliased(name: string, { aliases }: EvaluationRequest): string {
    if (aliases === null) return name
    const alias = aliases.get(name)
    return alias === undefined ? name : String(alias)
  }

  #interpreted(script: Script, bound: ReadonlyMap<string, unknown>, place: Place): Program {
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
          // Clients look for "alias" over a WebSocket, and for "rebind" over HTTP.
          `Could not alias [${name}] to [${String(of)}] as [${String(of)}] not in the Graph or TraversalSource global ` +
            `bindings (Could not rebind [${name}] to [${String(of)}])`
        )
      }
      globals.set(name, meant)
    }
    return globals
  }
}

/** Where a program of a request runs. */
interface Place {
  readonly request: EvaluationRequest
  readonly transactions: Transactions
  readonly session: Session | null
  readonly host: ProgramHost
}

/** True for a collection that scripts of the session may change after this request: a traversal is given a copy. */
const isChangeable = (name: string, { session }: Place): boolean =>
  session !== null && !session.variables.isGiven(name) && isCopied(session.variables.get(name))

/** The request's bindings; in a session they are the session's from then on. */
const variablesOf = ({ request, session }: Place): ReadonlyMap<string, unknown> => {
  if (session === null) return request.bindings ?? noVariables
  if (request.bindings !== null) for (const [name, value] of request.bindings) session.variables.give(name, value)
  return session.variables
}

/** `g` where there is one: what `v.addEdge(...)` and the like write with. */
const defaultSource = (globals: ReadonlyMap<string, unknown>): ScriptSource => {
  const g = globals.get("g")
  if (g instanceof ScriptSource) return g
  for (const value of globals.values()) if (value instanceof ScriptSource) return value
  return new ScriptSource("g")
}

/** `iterate()`: everything is done and nothing is answered. */
class Iterated implements Program {
  readonly #run: TraversalProgram
  constructor(run: TraversalProgram) {
    this.#run = run
  }
  get currentStep(): string {
    return this.#run.currentStep
  }
  get heldBytes(): number {
    return this.#run.heldBytes
  }
  advance(until: number) {
    return this.#run.advance(until, nowhere)
  }
  cancel(error: Error): void {
    this.#run.cancel(error)
  }
  close(): void {
    this.#run.close()
  }
}

const nowhere: ResultSink = { accept: () => true }

/** Runs what a script asks for, in the place of its request. */
class RequestScriptHost implements ScriptHost {
  readonly #programs: RequestPrograms
  readonly #context: ProgramContext
  readonly #place: Place
  readonly maxCollected: number

  constructor(programs: RequestPrograms, context: ProgramContext, place: Place) {
    this.#programs = programs
    this.#context = context
    this.#place = place
    this.maxCollected = context.environment.maxBytes / COLLECTED_VALUE
  }

  run({ bytecode, source, variables }: Extract<HostCall, { kind: "traversal" }>): TraversalProgram {
    return this.#programs.run(bytecode, variables, registeredSource(this.#context.registry, source.name), this.#place)
  }

  shown(value: HostObject | ScriptSource): string {
    if (value instanceof HostObject && value.handle instanceof ScriptObject) return value.handle.toString()
    const isObject = value instanceof HostObject
    const store = isObject ? (value.handle as GraphStore) : registeredSource(this.#context.registry, value.name).store
    this.#reads(store)
    return isObject ? store.describe() : `graphtraversalsource[${store.describe()}, standard]`
  }

  #reads(store: GraphStore): void {
    this.#context.authorization?.access(this.#place.request.user, store.name, "read")
  }

  explain({ bytecode, source, variables }: Extract<HostCall, { kind: "traversal" }>): TraversalProgram {
    return this.#programs.explain(
      bytecode,
      variables,
      registeredSource(this.#context.registry, source.name),
      this.#place
    )
  }

  transaction({ action, of }: Extract<HostCall, { kind: "transaction" }>): HostAnswer {
    const { host, session, transactions } = this.#place
    const store =
      of instanceof HostObject ? (of.handle as GraphStore) : registeredSource(this.#context.registry, of.name).store
    this.#reads(store)
    switch (action) {
      case "begin":
        session?.beginTransaction()
        transactions.open(store)
        return { value: of instanceof HostObject ? of.source : of }
      case "isOpen":
        return { value: transactions.isOpen }
      case "commit": {
        const later = endTransaction("commit", store, transactions, session, host)
        return later === undefined ? { value: undefined } : { later }
      }
      default:
        endTransaction("rollback", store, transactions, session, host)
        return { value: undefined }
    }
  }

  method(call: Extract<HostCall, { kind: "method" }>): HostAnswer {
    const { host, request } = this.#place
    const access = accessOfCall(call)
    if (access !== undefined) this.#context.authorization?.access(request.user, access.graph, access.access)
    return callMethod(call, (what) => host.keeps(what))
  }

  mustHold(): boolean {
    const { request, session, transactions } = this.#place
    return transactions.dirty && (session === null || request.manageTransaction || !session.explicitTransaction)
  }
}
