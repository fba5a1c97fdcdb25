import {
  type HostAnswer,
  type HostCall,
  HostObject,
  type TraversalSource as ScriptSource
} from "../../gremlin/Scope.ts"
import type { Bytecode } from "../../process/language/Bytecode.ts"
import type { TraversalSource } from "../../services/GraphRegistry.ts"
import type { GraphStore } from "../../structure/GraphStore.ts"
import { ScriptObject } from "../management/ScriptObject.ts"
import { endTransaction } from "./GraphOperation.ts"
import { accessOfCall, callMethod, registeredSource } from "./GraphScripting.ts"
import type { TraversalProgram } from "./PlanningProgram.ts"
import type { ProgramContext, ProgramPlace } from "./ProgramContext.ts"
import type { ScriptHost } from "./ScriptProgram.ts"

/** Memory of a result that a script keeps, about. */
const COLLECTED_VALUE_BYTES = 64

type TraversalCall = Extract<HostCall, { kind: "traversal" }>

/** Makes the programs of traversals. */
export interface TraversalPrograms {
  run(
    bytecode: Bytecode,
    variables: ReadonlyMap<string, unknown> | null,
    source: TraversalSource,
    place: ProgramPlace
  ): TraversalProgram
  explain(
    bytecode: Bytecode,
    variables: ReadonlyMap<string, unknown> | null,
    source: TraversalSource,
    place: ProgramPlace
  ): TraversalProgram
}

/** Runs what a script calls, for the request of the script. */
export class RequestScriptHost implements ScriptHost {
  readonly #programs: TraversalPrograms
  readonly #context: ProgramContext
  readonly #place: ProgramPlace
  readonly maxCollected: number

  constructor(programs: TraversalPrograms, context: ProgramContext, place: ProgramPlace) {
    this.#programs = programs
    this.#context = context
    this.#place = place
    this.maxCollected = context.environment.maxBytes / COLLECTED_VALUE_BYTES
  }

  run({ bytecode, source, variables }: TraversalCall): TraversalProgram {
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

  explain({ bytecode, source, variables }: TraversalCall): TraversalProgram {
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
