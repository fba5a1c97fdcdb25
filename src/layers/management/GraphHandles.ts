import { HostObject, ScriptSource } from "../../gremlin/ScriptObjects.ts"
import { TraversalError } from "../../process/language/Errors.ts"
import type { SeparateTransaction, Transactions } from "../../services/Transactions.ts"
import { Detached, type Element, type Vertex, VertexProperty } from "../../structure/elements/Element.ts"
import { originOf } from "../../structure/graph/Detach.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"

/** The handle of a graph without a name on the server, or of a graph in a separate transaction. */
export class Held {
  readonly store: GraphStore
  readonly separate: SeparateTransaction | undefined
  readonly #number = Math.floor(Math.random() * 2 ** 32)
  constructor(store: GraphStore, separate?: SeparateTransaction) {
    this.store = store
    this.separate = separate
  }

  /** A separate transaction in TinkerPop's and JanusGraph's words: `standardjanusgraphtx[0x4d1bd0ce]`. */
  get text(): string {
    const kind = this.store.describe().replace(/\[.*/s, "")
    return `${kind}tx[0x${this.#number.toString(16).padStart(8, "0")}]`
  }
}

/** The handle of a graph that requests find by its name: it may be closed and opened again while a session keeps the object. */
export class NamedGraph {
  readonly name: string
  readonly #find: (name: string) => GraphStore | undefined

  constructor(name: string, find: (name: string) => GraphStore | undefined) {
    this.name = name
    this.#find = find
  }

  /** The open graph. Throws TraversalError when there is none. */
  get store(): GraphStore {
    const store = this.#find(this.name)
    if (store !== undefined) return store
    throw notOpen(this.name)
  }
}

/** The error of a request that has found a graph which is not open any more. */
export const notOpen = (graph: string): TraversalError =>
  new TraversalError(`The graph ${graph} is not open: it was dropped, or closed meanwhile. Send the request again.`)

/** The graph of an object of the type `graph` or `transaction`. */
export const storeOf = ({ handle }: HostObject): GraphStore =>
  handle instanceof Held || handle instanceof NamedGraph ? handle.store : (handle as GraphStore)

/** The source of a graph that a script made, or of a separate transaction. */
export const heldSource = (held: Held): ScriptSource => new ScriptSource(held.store.name, [], held)

/** A graph that a script made, as scripts see it. */
export const madeGraphObject = (store: GraphStore, methods: ReadonlySet<string>): HostObject =>
  new HostObject("graph", methods, store, heldSource(new Held(store)))

/** A separate transaction as scripts see it: a graph with commit() and rollback(). */
export const separateObject = (separate: SeparateTransaction): HostObject => {
  const held = new Held(separate.store, separate)
  return new HostObject("transaction", separateMethods, held, heldSource(held))
}

/** Methods of a separate transaction, besides those of every graph. */
const separateMethods: ReadonlySet<string> = new Set(["commit", "rollback", "close", "isOpen", "isClosed", "toString"])

/** The graph and the separate transaction of an element. Undefined for an element of no graph. */
export const homeOf = (element: Element, transactions: Transactions): Held | undefined => {
  const owner: Vertex | { readonly source: object } | null =
    element instanceof VertexProperty ? element.vertex : element
  if (owner === null) return undefined
  const { source } = owner
  const separate = source instanceof Detached ? undefined : transactions.separateOf(source)
  const store = originOf(source as Vertex["source"])
  return store === undefined ? undefined : new Held(store as GraphStore, separate)
}
