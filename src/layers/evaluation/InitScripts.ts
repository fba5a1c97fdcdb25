import type { ScriptRun } from "../../gremlin/HostCall.ts"
import { evaluate } from "../../gremlin/Interpreter.ts"
import { parseScript } from "../../gremlin/Parser.ts"
import { ScriptRuntime } from "../../gremlin/program/ScriptRuntime.ts"
import { type Scope, ScriptVariables } from "../../gremlin/Scope.ts"
import type { ScriptClosure } from "../../gremlin/ScriptClosure.ts"
import { compiledPattern } from "../../process/predicates/RegularExpression.ts"
import { Pending } from "../../scheduling/Pending.ts"
import { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { anonymous } from "../../services/Authenticator.ts"
import type { EvaluationRequest } from "../../services/Evaluator.ts"
import { TransactionsNotSupported } from "../../structure/errors/StoreErrors.ts"
import { scriptClasses } from "../management/ClassCalls.ts"
import { heldSource, homeOf } from "../management/GraphHandles.ts"
import { plainSource } from "./GraphScripting.ts"
import { OpenTransactions } from "./OpenTransactions.ts"
import { PrintedText } from "./PrintedText.ts"
import type { ProgramContext } from "./ProgramContext.ts"
import { RequestPrograms } from "./RequestPrograms.ts"
import { RequestScriptHost } from "./RequestScriptHost.ts"
import { ScriptProgram, type ScriptSink } from "./ScriptProgram.ts"

/** Milliseconds that a script works before timers and signals of the process are served. */
const SLICE_MS = 50

/** Initialisation scripts have no client that takes results. */
const nowhere: ScriptSink = { accept: () => true, acceptGrowing: () => true, hold: () => {} }

const host = {
  committed: () => {},
  keeps: () => {},
  limited: () => {},
  loading: (work: Promise<void>) => work,
  prepared: () => {},
  scripting: () => {}
}

const requestOf = (file: string): EvaluationRequest => ({
  requestId: file,
  gremlin: "",
  bindings: null,
  aliases: null,
  language: undefined,
  evaluationTimeout: 0,
  manageTransaction: false,
  transport: "websocket",
  user: anonymous,
  heldBytes: 0
})

/** Whether scripts commit, and how long they run. */
interface ScriptRules {
  /**
   * Whether changes of graphs are committed. False in workers that only need the definitions: another worker of the server has
   * committed the changes.
   */
  readonly commits: boolean
  /** Whether the start of the server was interrupted. The script fails with its next slice. */
  readonly isInterrupted: () => boolean
}

/**
 * Runs initialisation scripts before the server listens. They have the variables of all graphs, no authorization and no time
 * limit: the administrator wrote them. All scripts of a server share their variables and functions.
 */
export class InitScripts {
  readonly #context: ProgramContext
  readonly #programs: RequestPrograms
  readonly #globals: Map<string, unknown>
  /** Variables that scripts assigned without a declaration, and their functions. */
  readonly variables = new ScriptVariables()

  readonly #rules: ScriptRules

  /** @param globals the variables of the scripts; sources that a script defines are added for the life cycle hooks */
  constructor(context: ProgramContext, globals: Map<string, unknown>, rules: ScriptRules) {
    this.#context = context
    this.#rules = rules
    this.#globals = globals
    this.#programs = new RequestPrograms(context)
  }

  /** Runs a script. Resolves to the value of its last statement. */
  async run(file: string, text: string): Promise<unknown> {
    const { imports, maxNestingDepth } = this.#context
    const script = parseScript(text, { maximumDepth: maxNestingDepth, allowsClosures: true, imports })
    return this.#perform(file, this.#rules.commits, (scope, slice) => evaluate(script, scope, slice))
  }

  /** Calls a closure of a script and commits its changes. */
  async call(file: string, closure: ScriptClosure, args: ReadonlyArray<unknown>): Promise<void> {
    await this.#perform(file, true, (scope, slice) => new ScriptRuntime(scope, slice).call(closure, args))
  }

  async #perform(
    file: string,
    commits: boolean,
    begin: (scope: Scope, slice: TimeSlice) => ScriptRun
  ): Promise<unknown> {
    const transactions = new OpenTransactions()
    const slice = new TimeSlice()
    const printed = new PrintedText()
    const owner = { request: requestOf(file), transactions, session: null, host }
    const scope: Scope = {
      variables: this.variables,
      isKept: false,
      globals: this.#globals,
      sourceOf: (element) => {
        const home = homeOf(element, transactions)
        if (home === undefined) throw new TransactionsNotSupported("The element belongs to no graph of the server.")
        return transactions.owns(home.store) || home.separate !== undefined ? heldSource(home) : plainSource(home.store)
      },
      classes: scriptClasses,
      patterns: compiledPattern,
      shown: (value) => scriptHost.shown(value),
      print: (text) => printed.add(text)
    }
    let value: unknown
    function* valued(): ScriptRun {
      value = yield* begin(scope, slice)
      return null
    }
    const scriptHost = new RequestScriptHost(this.#programs, this.#context, owner, scope, printed)
    const program = new ScriptProgram(valued(), scriptHost, slice)
    try {
      for (;;) {
        const progress = program.advance(performance.now() + SLICE_MS, nowhere)
        if (progress === "done") break
        if (progress === "slice" || progress === "full") await new Promise((resolve) => setImmediate(resolve))
        else await Pending.toPromise(progress)
        if (this.#rules.isInterrupted()) throw new Error("the start of the server was interrupted")
      }
      if (commits) await Pending.toPromise(transactions.commit(null, host))
      return value
    } finally {
      program.close()
      transactions.end()
    }
  }
}
