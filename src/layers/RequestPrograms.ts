import { parseScript } from "../gremlin/Parser.ts"
import type { Script } from "../gremlin/Script.ts"
import { Bytecode } from "../process/Bytecode.ts"
import { TraversalInvalid } from "../process/Errors.ts"
import { Planner, type Prepared } from "../process/Planner.ts"
import { type RunEnvironment, TraversalRun } from "../process/TraversalRun.ts"
import type { Authorization } from "../services/Authorizer.ts"
import { InvalidRequestArguments } from "../services/Errors.ts"
import type { EvaluationRequest } from "../services/Evaluator.ts"
import type { GraphRegistry, TraversalSource } from "../services/GraphRegistry.ts"
import type { Session } from "../services/Sessions.ts"
import type { Transactions } from "../services/Transactions.ts"
import type { Program, ProgramPlan, Programs } from "./Evaluation.ts"
import { GraphOperation } from "./GraphOperation.ts"
import { ScriptCache } from "./ScriptCache.ts"

/** Plans that each traversal source keeps. */
const PLANS = 2_000

/** What programs are made with. */
export interface ProgramContext {
  readonly registry: typeof GraphRegistry.Service
  readonly environment: RunEnvironment
  readonly authorization: Authorization | null
  readonly maxNestingDepth: number
  readonly scriptLogLength: number
}

/** Makes programs of requests: parses scripts, finds the traversal source, plans. */
export class RequestPrograms implements Programs {
  readonly #context: ProgramContext
  readonly #planner = new Planner({ cacheSize: PLANS })
  readonly #scripts = new ScriptCache()

  constructor(context: ProgramContext) {
    this.#context = context
  }

  make(request: EvaluationRequest, transactions: Transactions, session: Session | null): ProgramPlan {
    const { gremlin } = request
    return typeof gremlin === "string"
      ? this.#script(this.#parsed(gremlin), request, transactions, session)
      : this.#bytecode(gremlin, request, transactions, session)
  }

  describe(request: EvaluationRequest): string {
    const { gremlin } = request
    const text = typeof gremlin === "string" ? gremlin : bytecodeText(gremlin)
    const longest = this.#context.scriptLogLength
    return text.length > longest ? `${text.slice(0, longest)}...` : text
  }

  // ---- bytecode

  #bytecode(
    bytecode: Bytecode,
    request: EvaluationRequest,
    transactions: Transactions,
    session: Session | null
  ): ProgramPlan {
    const name = request.aliases?.get("g")
    const source = this.#context.registry.sources.get(String(name))
    if (source === undefined) {
      throw new InvalidRequestArguments(
        `The traversal source [${String(name)}] for alias [g] is not configured on the server. There ` +
          `${this.#sourceNames()}.`
      )
    }
    const operation = transactionOperation(bytecode)
    if (operation !== undefined) {
      return new OperationPlan(new GraphOperation(operation, source.store, transactions, session))
    }
    // Drivers send bytecode in a session for one reason: a transaction that they commit or roll back themselves.
    if (session !== null) session.explicitTransaction = true
    return this.#traversal(bytecode, null, source, request, transactions)
  }

  #sourceNames(): string {
    const names = [...this.#context.registry.sources.keys()]
    return names.length === 1 ? `is only '${names[0]}'` : `are ${names.map((name) => `'${name}'`).join(", ")}`
  }

  #traversal(
    bytecode: Bytecode,
    variables: ReadonlyMap<string, unknown> | null,
    source: TraversalSource,
    request: EvaluationRequest,
    transactions: Transactions
  ): TraversalPlan {
    const { authorization, environment } = this.#context
    const prepared = this.#planner.prepare(bytecode, variables, source.settings)
    authorization?.access(request.user, source.store.name, prepared.writes ? "write" : "read")
    return new TraversalPlan(new TraversalRun(prepared, transactions.open(source.store), environment), prepared)
  }

  // ---- scripts

  #parsed(text: string): Script {
    const known = this.#scripts.get(text)
    if (known !== undefined) return known
    const script = parseScript(text, { maximumDepth: this.#context.maxNestingDepth })
    this.#scripts.set(text, script)
    return script
  }

  #script(
    script: Script,
    request: EvaluationRequest,
    transactions: Transactions,
    session: Session | null
  ): ProgramPlan {
    const { terminal, traversal } = script
    if (traversal === undefined || (terminal !== undefined && terminal.name !== "toList") || session !== null) {
      throw new TraversalInvalid("scripts of several statements are not evaluated yet")
    }
    const source = this.#source(script.source, request)
    return this.#traversal(traversal, request.bindings, source, request, transactions)
  }

  #source(name: string, request: EvaluationRequest): TraversalSource {
    const { sources } = this.#context.registry
    const alias = request.aliases?.get(name)
    const source = sources.get(alias === undefined ? name : String(alias))
    if (source !== undefined) return source
    throw new InvalidRequestArguments(
      alias === undefined
        ? `There is no traversal source '${name}': there ${this.#sourceNames()}.`
        : `Could not alias [${name}] to [${String(alias)}] as [${String(alias)}] not in the Graph or TraversalSource ` +
            "global bindings"
    )
  }
}

/** One traversal: its run is the program. */
class TraversalPlan implements ProgramPlan {
  readonly program: Program
  readonly writes: boolean
  readonly options: ReadonlyMap<string, unknown>
  constructor(run: TraversalRun, prepared: Prepared) {
    this.program = run
    this.writes = prepared.writes
    this.options = prepared.options
  }
  /** Everything a traversal does is in its transaction. */
  repeatable(): boolean {
    return true
  }
}

const noOptions: ReadonlyMap<string, unknown> = new Map()

class OperationPlan implements ProgramPlan {
  readonly program: Program
  readonly writes = true
  readonly options = noOptions
  constructor(program: Program) {
    this.program = program
  }
  repeatable(): boolean {
    return false
  }
}

/** `commit` of `g.tx().commit()`, which drivers send as the source instruction `tx`. */
const transactionOperation = (bytecode: Bytecode): string | undefined => {
  const [first] = bytecode.sourceInstructions
  return first?.operator === "tx" ? String(first.args[0]) : undefined
}

const bytecodeText = (bytecode: Bytecode): string => {
  const instruction = ({ args, operator }: Bytecode["stepInstructions"][number]): string =>
    `${operator}(${args.map(argumentText).join(", ")})`
  return ["g", ...bytecode.sourceInstructions.map(instruction), ...bytecode.stepInstructions.map(instruction)].join(".")
}

/** Values are left out: they may be private, and they are long. */
const argumentText = (argument: unknown): string => {
  if (argument instanceof Bytecode) return bytecodeText(argument).replace(/^g\./, "__.")
  if (typeof argument === "string") return `'${argument.slice(0, 64)}'`
  return typeof argument === "object" && argument !== null ? argument.constructor.name : String(argument)
}
