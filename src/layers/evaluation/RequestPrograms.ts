import { MAX_UNSLICED_CHARS, type ParseOptions, parseScript } from "../../gremlin/Parser.ts"
import type { Script } from "../../gremlin/Script.ts"
import { translateBeginning } from "../../gremlin/Translator.ts"
import { explainTask, isExplained } from "../../process/compiler/Explain.ts"
import { Planner } from "../../process/compiler/Planner.ts"
import { gremlin } from "../../process/Gremlin.ts"
import type { Bytecode } from "../../process/language/Bytecode.ts"
import type { ClosureBinder } from "../../process/language/Closure.ts"
import { TraversalRun } from "../../process/machine/TraversalRun.ts"
import type { Prepared } from "../../process/plan/Prepared.ts"
import { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { InvalidRequestArguments } from "../../services/Errors.ts"
import type { EvaluationRequest } from "../../services/Evaluator.ts"
import { sourceNamed, type TraversalSource } from "../../services/GraphRegistry.ts"
import { lateModule } from "../../services/LateModules.ts"
import type { Session } from "../../services/Sessions.ts"
import type { Transactions } from "../../services/Transactions.ts"
import { ClosedGraphs } from "./ClosedGraphs.ts"
import { GraphOperation } from "./GraphOperation.ts"
import { IteratedProgram } from "./IteratedProgram.ts"
import { LoadingProgram } from "./LoadingProgram.ts"
import { OneResult } from "./OneResult.ts"
import { OpeningProgram } from "./OpeningProgram.ts"
import { ParsingProgram } from "./ParsingProgram.ts"
import { accessOf, assertInside } from "./PlanAccess.ts"
import { PlanningProgram, type TraversalProgram } from "./PlanningProgram.ts"
import type { Program, ProgramHost, Programs } from "./Program.ts"
import type { ProgramContext, ProgramOwner, Written } from "./ProgramContext.ts"
import { profiled, reportedTraversal } from "./ReportedTraversal.ts"
import type { TraversalPrograms } from "./RequestScriptHost.ts"
import type { RequestScripting } from "./RequestScripting.ts"
import { isChangeable, variablesOf } from "./RequestVariables.ts"
import { ScriptCache } from "./ScriptCache.ts"
import { timeoutOfScript } from "./ScriptTimeout.ts"
import { unboundText } from "./UnboundAlias.ts"

/** Plans that each traversal source caches. */
const MAX_CACHED_PLANS = 2_000

/** Time for which a traversal is planned at once, before others run. */
const FIRST_SLICE_MS = 2

/** Begins the keys of the scripts in gremlin-lang that Groovy reads otherwise. A text that begins with it is no script of any language. */
const LANG_KEY = "\0"

/**
 * True for a script whose meaning may depend on its language: `withSack({1})` has a set in gremlin-lang, and a closure in Groovy, and
 * `has('x', "$y")` and `has('x', /$y/)` have a text and a variable. `LIST` and `SET` are types in gremlin-lang.
 */
const readsOtherwise = (text: string, language: string | undefined): boolean =>
  language === "gremlin-lang" && /\b(?:withSack|withSideEffect|LIST|SET)\b|\$/.test(text)

/** Makes the programs of requests: parses scripts, finds the traversal source, plans. */
export class RequestPrograms implements Programs, TraversalPrograms {
  readonly #slice = new TimeSlice()
  readonly #context: ProgramContext
  readonly #planner = new Planner(gremlin, { cacheSize: MAX_CACHED_PLANS })
  readonly #scripts = new ScriptCache()
  readonly #parseOptions: ParseOptions
  /** Undefined until the first request that needs the interpreter. */
  #scripting: RequestScripting | undefined

  constructor(context: ProgramContext) {
    this.#context = context
    const { allowsClosures, imports, maxNestingDepth } = context
    this.#parseOptions = { maximumDepth: maxNestingDepth, allowsClosures, imports }
  }

  make(request: EvaluationRequest, transactions: Transactions, session: Session | null, host: ProgramHost): Program {
    const owner: ProgramOwner = { request, transactions, session, host }
    if (session !== null && transactions.dirty) this.#assertMayWrite(owner)
    const { gremlin } = request
    if (typeof gremlin === "string") return this.#script(gremlin, owner)
    return this.#opened(null, owner, () => this.#bytecode(gremlin, owner))
  }

  /** Opens the closed graphs that a request names, and then makes its program. */
  #opened(script: Script | null, { request, session }: ProgramOwner, make: () => Program): Program {
    const { authorization, registry } = this.#context
    const { dynamic } = registry
    if (dynamic?.hasClosed !== true) return make()
    const closed = new ClosedGraphs(dynamic, { aliases: request.aliases, script, session })
    const open = (graph: string): Promise<unknown> => {
      authorization?.access(request.user, graph, "read")
      return dynamic.open(graph)
    }
    return new OpeningProgram(closed, open, make)
  }

  /** Changes of a session's earlier requests are rolled back when its user may no longer write. */
  #assertMayWrite({ request, transactions }: ProgramOwner): void {
    const { authorization } = this.#context
    if (authorization === null) return
    try {
      const changed = [...transactions.changed(), ...transactions.changedSeparately()]
      for (const store of changed) authorization.access(request.user, store.name, "write")
    } catch (error) {
      transactions.rollback()
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

  #bytecode(bytecode: Bytecode, owner: ProgramOwner): Program {
    const { host, request, session, transactions } = owner
    const name = String(request.aliases?.get("g"))
    const source = sourceNamed(this.#context.registry, name)
    if (source === undefined) {
      const reason =
        request.transport === "http"
          ? unboundText("http", "g", name)
          : `The traversal source [${name}] for alias [g] is not configured on the server`
      throw new InvalidRequestArguments(`${reason}. There ${this.#sourceNames()}.`)
    }
    if (typeof request.report === "string") return this.#reported(bytecode, null, source, owner)
    const [first] = bytecode.sourceInstructions
    if (first?.operator === "tx") {
      this.#context.authorization?.access(request.user, source.store.name, "read")
      return new GraphOperation(String(first.args[0]), source.store, transactions, session, host)
    }
    // Drivers send bytecode in a session only for a transaction that they commit or roll back themselves.
    session?.beginTransaction(source.store)
    if (isExplained(bytecode)) return this.explain(bytecode, null, source, owner)
    return this.run(bytecode, null, source, owner)
  }

  /** A program whose one result says how a traversal would run, or how it ran. */
  #reported(
    bytecode: Bytecode,
    variables: ReadonlyMap<string, unknown> | null,
    source: TraversalSource,
    owner: ProgramOwner
  ): Program {
    return owner.request.report === "explain"
      ? this.explain(bytecode, variables, source, owner)
      : this.run(profiled(bytecode), variables, source, owner)
  }

  /** A program whose one result is the text of explain(). */
  explain(
    bytecode: Bytecode,
    variables: ReadonlyMap<string, unknown> | null,
    source: TraversalSource,
    { request, transactions }: ProgramOwner
  ): TraversalProgram {
    const { authorization, environment } = this.#context
    if (!transactions.owns(source.store)) authorization?.access(request.user, source.store.name, "read")
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
    owner: ProgramOwner
  ): TraversalProgram {
    const written = { bytecode, variables, source }
    const known = this.#planner.known(bytecode, variables, source.settings)
    if (known !== undefined) return this.#planned(known, written, owner)
    // Tasks run one at a time and restart the slice: one slice serves the planning of all requests.
    this.#slice.restart(performance.now() + FIRST_SLICE_MS)
    const planning = this.#planner.prepareTask(bytecode, variables, source.settings, this.#slice)
    const first = planning.next()
    if (first.done === true) return this.#planned(first.value, written, owner)
    return new PlanningProgram(planning, this.#slice, (prepared) => this.#planned(prepared, written, owner))
  }

  #planned(prepared: Prepared, written: Written, owner: ProgramOwner): TraversalProgram {
    if (!prepared.compiled.callsClosures) return this.#started(prepared, written, owner, undefined)
    if (owner.closures !== undefined) return this.#started(prepared, written, owner, owner.closures)
    return this.#withScripting(owner.host, (scripting) =>
      this.#started(prepared, written, owner, scripting.lambdas(written, owner))
    )
  }

  #started(
    prepared: Prepared,
    { source }: Written,
    { host, request, transactions }: ProgramOwner,
    closures: ClosureBinder | undefined
  ): TraversalRun {
    const { authorization, environment } = this.#context
    if (authorization !== null) {
      if (transactions.owns(source.store)) assertInside(prepared.plan, source.name)
      else for (const access of accessOf(prepared.plan)) authorization.access(request.user, source.store.name, access)
    }
    host.prepared(prepared.options, prepared.writes ? source.store : undefined)
    return new TraversalRun(prepared, transactions.open(source.store), environment, closures)
  }

  #sourceNames(): string {
    const { dynamic, sources } = this.#context.registry
    const names = [...sources.keys(), ...(dynamic?.sources.keys() ?? [])]
    return names.length === 1 ? `is only '${names[0]}'` : `are ${names.map((name) => `'${name}'`).join(", ")}`
  }

  // ---- scripts

  #script(text: string, owner: ProgramOwner): Program {
    const timeout = timeoutOfScript(text)
    if (timeout !== undefined) owner.host.limited(timeout)
    const { language } = owner.request
    const isOther = readsOtherwise(text, language)
    const options = isOther ? { ...this.#parseOptions, language } : this.#parseOptions
    const key = isOther ? `${LANG_KEY}${text}` : text
    // A text in Groovy may be equal to a key of gremlin-lang: it gets the error of the parser.
    const cached = text.startsWith(LANG_KEY) ? undefined : this.#scripts.get(key)
    if (cached !== undefined) return this.#parsed(cached, owner)
    const parsed = (script: Script): Program => {
      this.#scripts.set(key, script)
      return this.#parsed(script, owner)
    }
    return text.length > MAX_UNSLICED_CHARS
      ? new ParsingProgram(text, options, parsed)
      : parsed(parseScript(text, options))
  }

  #parsed(script: Script, owner: ProgramOwner): Program {
    return this.#opened(script, owner, () => this.#ready(script, owner))
  }

  /** The program of a script whose graphs are open. */
  #ready(script: Script, owner: ProgramOwner): Program {
    if (typeof owner.request.report === "string") return this.#reportOf(script, owner)
    const variables = variablesOf(owner)
    return this.#alone(script, variables, owner) ?? this.#interpreted(script, variables, owner)
  }

  #reportOf(script: Script, owner: ProgramOwner): Program {
    const { bytecode, source: name, variables } = reportedTraversal(script, owner.request)
    const source = sourceNamed(this.#context.registry, this.#aliased(name, owner.request))
    if (source !== undefined) return this.#reported(bytecode, variables, source, owner)
    throw new InvalidRequestArguments(`There is no traversal source '${name}'. There ${this.#sourceNames()}.`)
  }

  /** A script that is a single traversal needs no interpreter when all of its variables are known. Undefined otherwise. */
  #alone(script: Script, variables: ReadonlyMap<string, unknown>, owner: ProgramOwner): Program | undefined {
    const { terminal, traversal } = script
    if (traversal === undefined || script.constants.size > 0 || variables.has(script.source)) return undefined
    if (terminal !== undefined && terminal.name !== "toList" && terminal.name !== "iterate") return undefined
    for (const name of script.variables.keys()) if (!variables.has(name) || isChangeable(name, owner)) return undefined
    const source = sourceNamed(this.#context.registry, this.#aliased(script.source, owner.request))
    if (source === undefined) return undefined
    const run = this.run(traversal, variables, source, owner)
    return terminal?.name === "iterate" ? new IteratedProgram(run) : run
  }

  /** The name of a traversal source after the request's aliases. */
  #aliased(name: string, { aliases }: EvaluationRequest): string {
    if (aliases === null) return name
    const alias = aliases.get(name)
    return alias === undefined ? name : String(alias)
  }

  #interpreted(script: Script, bound: ReadonlyMap<string, unknown>, owner: ProgramOwner): Program {
    return this.#withScripting(owner.host, (scripting) => scripting.interpreted(script, bound, owner))
  }

  /** A program that needs the interpreter. The first one loads it. */
  #withScripting<Made extends Program>(
    host: ProgramHost,
    make: (scripting: RequestScripting) => Made
  ): Made | LoadingProgram {
    if (this.#scripting !== undefined) return make(this.#scripting)
    return new LoadingProgram(
      () => host.loading(this.#load()),
      () => make(this.#scripting!)
    )
  }

  async #load(): Promise<void> {
    const { RequestScripting } = await lateModule(import("./RequestScripting.ts"))
    this.#scripting ??= new RequestScripting(this, this.#context)
  }
}
