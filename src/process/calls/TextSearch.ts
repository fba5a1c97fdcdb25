import type { Property, VertexProperty } from "../../structure/elements/Element.ts"
import type { Reads, RefColumn, RefScan } from "../../structure/graph/GraphReads.ts"
import type { GraphTransaction } from "../../structure/graph/GraphStore.ts"
import { text } from "../../structure/texts/Text.ts"
import { nameOf } from "../language/Arguments.ts"
import { TraversalError } from "../language/Errors.ts"
import type { Service, ServiceCall, ServiceResults } from "../language/Service.ts"
import { regularExpression } from "../predicates/RegularExpression.ts"

/** Elements in one chunk. */
const CHUNK_ELEMENTS = 256

type Source = "Vertex" | "Edge" | "VertexProperty"
const sources: ReadonlyArray<Source> = ["Vertex", "Edge", "VertexProperty"]

/** Scans the elements of each searched kind and returns the properties whose value matches. */
class Search implements ServiceResults {
  readonly #transaction: GraphTransaction
  readonly #matches: (text: string) => boolean
  readonly #sources: Array<Source>
  #scan: RefScan | undefined
  /** Elements whose properties the next chunk reads; null when the next chunk continues the scan. */
  #found: RefColumn | null = null
  #more = true

  constructor(transaction: GraphTransaction, expression: string, searched: ReadonlyArray<Source>) {
    this.#transaction = transaction
    // The whole text must match, as for Java's Pattern.matches.
    this.#matches = regularExpression(`\\A(?:${expression})\\z`)
    this.#sources = [...searched]
  }

  get #edges(): boolean {
    return this.#sources[0] === "Edge"
  }

  #scanned(): RefScan {
    this.#scan ??= this.#edges ? this.#transaction.scanEdges(null) : this.#transaction.scanVertices(null)
    return this.#scan
  }

  reads(): readonly Reads[] {
    const refs = this.#found
    if (refs === null) return [{ kind: "scan", scan: this.#scanned(), max: CHUNK_ELEMENTS }]
    return [{ kind: this.#edges ? "edge" : "vertex", refs, length: refs.length, keys: null }]
  }

  next(out: Array<unknown>): boolean {
    if (this.#found === null) {
      const chunk = { refs: this.#transaction.newRefs(CHUNK_ELEMENTS), length: 0 }
      this.#more = this.#scanned().next(CHUNK_ELEMENTS, chunk)
      this.#found = chunk.refs.slice(0, chunk.length)
      return true
    }
    for (const ref of this.#found) this.#look(ref, out)
    this.#found = null
    if (this.#more) return true
    this.#scan?.close()
    this.#scan = undefined
    this.#sources.shift()
    return this.#sources.length > 0
  }

  #look(ref: number, out: Array<unknown>): void {
    const transaction = this.#transaction
    const element = this.#edges ? transaction.edge(ref) : transaction.vertex(ref)
    for (const property of element.properties()) {
      if (this.#sources[0] === "VertexProperty") {
        for (const meta of (property as VertexProperty).properties()) this.#test(meta, out)
      } else this.#test(property, out)
    }
  }

  #test(property: Property | VertexProperty, out: Array<unknown>): void {
    if (property.value !== null && this.#matches(text(property.value))) out.push(property)
  }
}

const stringParameter = ({ parameters }: ServiceCall, key: string): string | undefined => {
  if (!parameters.has(key)) return undefined
  const value = parameters.get(key)
  if (typeof value === "string") return value
  throw new TraversalError(`tinker.search takes a string as its ${key}, but was given ${nameOf(value)}`)
}

const searchedBy = (call: ServiceCall): ReadonlyArray<Source> => {
  const type = stringParameter(call, "type")
  if (type === undefined) return sources
  const found = sources.find((source) => source === type)
  if (found !== undefined) return [found]
  throw new TraversalError(`tinker.search takes ${sources.join(", ")} as its type, but was given ${type}`)
}

/** The service `tinker.search`: scans the properties of all elements for values that contain a text. */
export const textSearch: Service = {
  name: "tinker.search",
  parameters: {
    search: "Text that the value must contain; the same as the regular expression .*(text).*",
    regex: "Regular expression that the whole value must match; takes precedence over search.",
    type: "Elements whose properties are searched: Vertex, Edge or VertexProperty. Default: all three."
  },
  start: (call) => {
    const regex = stringParameter(call, "regex")
    const search = stringParameter(call, "search")
    if (regex === undefined && search === undefined) {
      throw new TraversalError(
        "tinker.search needs a parameter: search with a text, or regex with a regular expression"
      )
    }
    return new Search(call.transaction, regex ?? `.*(${search}).*`, searchedBy(call))
  }
}
