import { BegunTraversal, type HostAnswer, type HostCall, type TraversalCall } from "../../gremlin/HostCall.ts"
import type { ParseOptions } from "../../gremlin/Parser.ts"
import type { Scope } from "../../gremlin/Scope.ts"
import { HostObject, ScriptSource } from "../../gremlin/ScriptObjects.ts"
import type { ScriptMemory } from "../../gremlin/script/budget/ScriptMemory.ts"
import { type Bytecode, StrategySpec } from "../../process/language/Bytecode.ts"
import type { ClosureBinder } from "../../process/language/Closure.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import type { TraversalSource } from "../../services/GraphRegistry.ts"
import type { CommitListener, SeparateTransaction } from "../../services/Transactions.ts"
import { TransactionsNotSupported } from "../../structure/errors/StoreErrors.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"
import { type CallContext, cellGraphOf } from "../management/GraphCalls.ts"
import { Held, storeOf } from "../management/GraphHandles.ts"
import { typeOfElement } from "../management/SchemaObjects.ts"
import { answerOf, ScriptObject } from "../management/ScriptObject.ts"
import { separateTransaction } from "../management/TransactionCalls.ts"
import { Collected } from "./Collected.ts"
import { endTransaction } from "./GraphOperation.ts"
import {
  accessOfCall,
  callMethod,
  graphNames,
  graphOfSource,
  manageableGraphs,
  openableGraphs,
  registeredSource,
  sourceNames
} from "./GraphScripting.ts"
import type { TraversalProgram } from "./PlanningProgram.ts"
import type { PrintedText } from "./PrintedText.ts"
import type { ProgramContext, ProgramOwner } from "./ProgramContext.ts"
import { refusedClosures, ScriptClosures } from "./ScriptClosures.ts"
import type { Begun, ScriptHost } from "./ScriptProgram.ts"

/** Estimated memory of one result that a script keeps. */
const COLLECTED_VALUE_BYTES = 64

/** Makes the programs of traversals. */
export interface TraversalPrograms {
  run(
    bytecode: Bytecode,
    variables: ReadonlyMap<string, unknown> | null,
    source: TraversalSource,
    owner: ProgramOwner
  ): TraversalProgram
  explain(
    bytecode: Bytecode,
    variables: ReadonlyMap<string, unknown> | null,
    source: TraversalSource,
    owner: ProgramOwner
  ): TraversalProgram
}

/** The last part of the text of a source, as TinkerPop names what runs its traversals. */
const computerOf = ({ instructions }: ScriptSource): "graphcomputer" | "standard" =>
  instructions.some(
    ({ args, operator }) =>
      operator === "withComputer" ||
      (operator === "withStrategies" &&
        args.some((arg) => arg instanceof StrategySpec && arg.name === "VertexProgramStrategy"))
  )
    ? "graphcomputer"
    : "standard"

/** Runs what a script calls, for the request of the script. */
export class RequestScriptHost implements ScriptHost {
  readonly #programs: TraversalPrograms
  readonly #context: ProgramContext
  readonly #owner: ProgramOwner
  readonly #scope: Scope
  readonly #nesting = { openCalls: 0 }
  readonly #printed: PrintedText
  /** Whether scripts may run traversals at once. A cancelled request ends at its next call of the host. */
  mayTraverse = true
  readonly maxCollected: number
  readonly parseOptions: ParseOptions

  constructor(
    programs: TraversalPrograms,
    context: ProgramContext,
    owner: ProgramOwner,
    scope: Scope,
    printed: PrintedText
  ) {
    this.#printed = printed
    this.#programs = programs
    this.#scope = scope
    this.#context = context
    this.#owner = owner
    this.parseOptions = { maximumDepth: context.maxNestingDepth }
    this.maxCollected = context.environment.maxBytes / COLLECTED_VALUE_BYTES
  }

  get memory(): ScriptMemory | undefined {
    return this.#scope.memory
  }

  run(call: TraversalCall): TraversalProgram {
    const { meant, owner } = this.#sourceOf(call.source)
    const { host, request, session, transactions } = owner
    const closures = this.closuresOf(call, meant)
    return this.#programs.run(call.bytecode, call.variables, meant, { request, transactions, session, host, closures })
  }

  /** Runs a traversal for the rest of a slice; see `traverse` of a scope. */
  traverse(call: TraversalCall, slice: TimeSlice): unknown {
    this.memory?.refresh()
    const program = this.run(call)
    const results = new Collected(call.want === "none" ? 0 : call.limit, this.maxCollected, call.want)
    let isDone = true
    try {
      const progress = program.advance(slice.until, results)
      // A collector that has enough results returns "full": the traversal ends.
      isDone = progress === "done" || progress === "full"
      if (!isDone) return new BegunTraversal({ program, results, progress } satisfies Begun)
    } finally {
      if (isDone) program.close()
    }
    this.memory?.received(results.values)
    return results.answer
  }

  /** What binds the closures of a traversal to the request. */
  closuresOf(call: TraversalCall, meant: TraversalSource): ClosureBinder {
    return this.#context.allowsClosures
      ? new ScriptClosures(this.#scope, call, this, meant, this.#nesting)
      : refusedClosures
  }

  shown(value: HostObject | ScriptSource): string {
    if (value instanceof HostObject && value.handle instanceof ScriptObject) return value.handle.toString()
    const isObject = value instanceof HostObject
    const store = isObject ? storeOf(value) : registeredSource(this.#context.registry, value).store
    this.#reads(store)
    const held = isObject && value.handle instanceof Held ? value.handle : undefined
    if (held?.separate !== undefined) return held.text
    return isObject ? store.describe() : `graphtraversalsource[${store.describe()}, ${computerOf(value)}]`
  }

  #reads(store: GraphStore): void {
    if (this.#owner.transactions.owns(store)) return
    this.#context.authorization?.access(this.#owner.request.user, store.name, "read")
  }

  explain({ bytecode, source, variables }: TraversalCall): TraversalProgram {
    const { meant, owner } = this.#sourceOf(source)
    return this.#programs.explain(bytecode, variables, meant, owner)
  }

  /** The source of the server, and the transactions in which its traversals run. */
  #sourceOf(source: ScriptSource): { readonly meant: TraversalSource; readonly owner: ProgramOwner } {
    const meant = registeredSource(this.#context.registry, source)
    const separate = source.handle instanceof Held ? source.handle.separate : undefined
    if (separate === undefined) return { meant, owner: this.#owner }
    assertOpen(separate)
    return { meant, owner: { ...this.#owner, transactions: separate.transactions } }
  }

  transaction({ action, of }: Extract<HostCall, { kind: "transaction" }>): HostAnswer {
    const { host, session, transactions } = this.#owner
    const store = of instanceof HostObject ? storeOf(of) : registeredSource(this.#context.registry, of).store
    this.#reads(store)
    const separate = of.handle instanceof Held ? of.handle.separate : undefined
    if (action === "separate") return { value: separateTransaction(store, transactions) }
    if (separate !== undefined) return endSeparate(separate, action, of, host)
    switch (action) {
      case "begin":
        session?.beginTransaction(store)
        transactions.open(store)
        return { value: of instanceof HostObject ? of.source : of }
      case "readWrite":
        transactions.open(store)
        return { value: undefined }
      case "isOpen":
        return { value: transactions.has(store) }
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
    const { host, request, transactions } = this.#owner
    const { of } = call
    if (of instanceof ScriptSource) {
      return call.name === "getGraph" ? this.#graphOf(of) : this.#typeOfElement(of, call.name, call.args)
    }
    const methodCall = { ...call, of }
    const access = accessOfCall(methodCall)
    if (access !== undefined) this.#context.authorization?.access(request.user, access.graph, access.access)
    const { environment, optionsOf, registry, starting } = this.#context
    const callContext: CallContext = {
      transactions,
      keeps: (what) => host.keeps(what),
      maxGraphBytes: environment.maxBytes,
      optionsOf,
      dynamicGraphs: (changed) => manageableGraphs(registry, this.#context.authorization, request.user, changed),
      scriptGraphs: () => openableGraphs(registry, this.#context.authorization, request.user, starting !== undefined),
      findGraph: (name) => registry.graphs.get(name),
      graphNames: () => graphNames(registry),
      sourceNames: () => sourceNames(registry)
    }
    return callMethod(methodCall, starting === undefined ? callContext : { ...callContext, starting })
  }

  /** The graph of a source, which sees the transaction of the source. */
  #graphOf(source: ScriptSource): HostAnswer {
    const { registry } = this.#context
    this.#reads(registeredSource(registry, source).store)
    return { value: graphOfSource(registry, source) }
  }

  /** The type of an element of the graph of a source. */
  #typeOfElement(source: ScriptSource, method: string, [kind, name]: ReadonlyArray<unknown>): HostAnswer {
    const { store } = registeredSource(this.#context.registry, source)
    this.#reads(store)
    return answerOf(typeOfElement(cellGraphOf(store, method), kind, String(name)), (what) =>
      this.#owner.host.keeps(what)
    )
  }

  cancelled(): void {
    this.mayTraverse = false
  }

  closed(): void {
    const text = this.#printed.take()
    const { request } = this.#owner
    if (text !== undefined) this.#context.printed(request.requestId, request.user.name, text)
  }

  mustHold(): boolean {
    const { request, session, transactions } = this.#owner
    const isAll = session === null || request.manageTransaction
    return transactions.dirty && transactions.changed((store) => isAll || !transactions.isBegun(store)).length > 0
  }
}

/** Throws for a separate transaction that was committed or rolled back. */
const assertOpen = ({ isOpen }: SeparateTransaction): void => {
  if (!isOpen) {
    throw new TransactionsNotSupported("Operation cannot be executed because the enclosing transaction is closed")
  }
}

/** Runs a method of tx() of a separate transaction. */
const endSeparate = (
  separate: SeparateTransaction,
  action: Extract<HostCall, { kind: "transaction" }>["action"],
  of: HostObject | ScriptSource,
  listener: CommitListener
): HostAnswer => {
  if (action === "isOpen") return { value: separate.isOpen }
  assertOpen(separate)
  if (action === "begin") return { value: of instanceof HostObject ? of.source : of }
  if (action === "readWrite") return { value: undefined }
  if (action === "commit") {
    const later = separate.commit(listener)
    return later === undefined ? { value: undefined } : { later }
  }
  separate.rollback()
  return { value: undefined }
}
