import { SaxesParser, type SaxesTagPlain } from "saxes"
import type { EdgeListing, GraphDecoder, GraphReceiver } from "../../structure/graph/GraphStream.ts"
import { double, Float, isInt, LONG_MAX, LONG_MIN } from "../../structure/numbers/Numbers.ts"
import { numberOfText } from "../NumberTexts.ts"
import { ProtocolError } from "../ProtocolError.ts"

/** A `key` element: the name and the type of a property. */
interface Key {
  readonly name: string
  readonly type: string
}

/** A node or an edge that has begun. */
interface OpenElement {
  readonly kind: "node" | "edge"
  /** True for a node whose nested graph has begun: the receiver has it already, before the vertices and edges of that graph. */
  isGiven: boolean
  readonly id: string | undefined
  readonly source: string
  readonly target: string
  label: string | undefined
  readonly values: Map<string, unknown>
}

/** Keys of the data elements with labels, as in TinkerPop. */
const LABEL_V = "labelV"
const LABEL_E = "labelE"

const ALONE: EdgeListing = "alone"

/** Labels of elements without a label. `label` is for both kinds; the others precede it. */
interface GraphMLLabels {
  readonly label?: string | undefined
  readonly vertexLabel?: string | undefined
  readonly edgeLabel?: string | undefined
}

/**
 * Reads GraphML 1.1 as TinkerPop uses it: keys have a name and a type, labels have the keys labelV and labelE, ids are strings.
 * The nodes and edges of a graph within a node (a group) are read as those of the whole graph. Ports are ignored.
 * External entities are never read.
 */
export class GraphMLDecoder implements GraphDecoder {
  readonly #receiver: GraphReceiver
  readonly #vertexLabel: string
  readonly #edgeLabel: string
  readonly #parser = new SaxesParser()
  #text: InstanceType<typeof TextDecoder> | undefined
  readonly #keys = new Map<string, Key>()
  /** The graphs, nodes, edges and ports around the current place. Null for those whose data has no meaning here. */
  readonly #open: Array<OpenElement | null> = []
  #hasRoot = false
  /** The key of the current data element, and its text so far. */
  #dataKey: string | null = null
  #data = ""
  /** The depth in the current data element, which may contain elements of other programs; 0 outside. */
  #depth = 0

  /** Default labels: `vertex` and `edge`. */
  constructor(receiver: GraphReceiver, { edgeLabel, label, vertexLabel }: GraphMLLabels = {}) {
    this.#receiver = receiver
    this.#vertexLabel = vertexLabel ?? label ?? "vertex"
    this.#edgeLabel = edgeLabel ?? label ?? "edge"
    this.#parser.on("error", (error) => {
      throw new ProtocolError(`The XML is not well-formed, at ${error.message}`)
    })
    this.#parser.on("opentag", (tag) => this.#begin(tag))
    this.#parser.on("closetag", (tag) => this.#end(tag.name))
    const characters = (text: string): void => {
      if (this.#dataKey !== null) this.#data += text
    }
    this.#parser.on("text", characters)
    this.#parser.on("cdata", characters)
  }

  get line(): number {
    return this.#parser.line
  }

  push(bytes: Uint8Array): void {
    this.#text ??= new TextDecoder(encodingOf(bytes), { fatal: true })
    this.#parser.write(this.#text.decode(bytes, { stream: true }))
  }

  end(): void {
    this.#parser.write(this.#text?.decode() ?? "")
    this.#parser.close()
  }

  #fail(problem: string): never {
    throw new ProtocolError(`${problem} (line ${this.#parser.line})`)
  }

  #begin({ attributes, name }: SaxesTagPlain): void {
    if (!this.#hasRoot && local(name) !== "graphml") {
      this.#fail(`The root element is <${local(name)}>, but the root element of GraphML is <graphml>`)
    }
    this.#hasRoot = true
    if (this.#depth > 0) {
      this.#depth++
      return
    }
    switch (local(name)) {
      case "key": {
        const id = this.#attribute(attributes, "key", "id")
        this.#keys.set(id, { name: attributes["attr.name"] ?? id, type: attributes["attr.type"] ?? "string" })
        return
      }
      case "node":
        this.#open.push(opened("node", this.#attribute(attributes, "node", "id"), "", ""))
        return
      case "edge": {
        const source = this.#attribute(attributes, "edge", "source")
        this.#open.push(opened("edge", attributes.id, source, this.#attribute(attributes, "edge", "target")))
        return
      }
      case "graph": {
        const outer = this.#open.at(-1)
        if (outer?.kind === "node") this.#give(outer)
        this.#open.push(null)
        return
      }
      case "port":
        this.#open.push(null)
        return
      case "hyperedge":
        return this.#fail("A <hyperedge> cannot be read: an edge of this graph has two ends")
      case "data":
        this.#depth = 1
        this.#dataKey = attributes.key ?? null
        this.#data = ""
        return
      default:
    }
  }

  #attribute(attributes: Readonly<Record<string, string>>, element: string, name: string): string {
    return attributes[name] ?? this.#fail(`A <${element}> has no attribute ${name}`)
  }

  #end(name: string): void {
    if (this.#depth > 0) {
      if (--this.#depth > 0) return
      const open = this.#open.at(-1)
      if (open && this.#dataKey !== null) this.#take(open, this.#dataKey, this.#data)
      this.#dataKey = null
      return
    }
    switch (local(name)) {
      case "node":
      case "edge":
      case "graph":
      case "port": {
        const open = this.#open.pop()
        if (open && !open.isGiven) this.#give(open)
        return
      }
      default:
    }
  }

  #take(open: OpenElement, id: string, text: string): void {
    const key = this.#keys.get(id)
    // Data whose key is not declared is ignored.
    if (key === undefined) return
    if (open.isGiven) this.#fail("A <node> has <data> after its <graph>: GraphML has it before")
    if (id === (open.kind === "node" ? LABEL_V : LABEL_E)) open.label = text
    else if (open.values.has(key.name)) this.#fail(`A <${open.kind}> has two values of ${key.name}`)
    else open.values.set(key.name, this.#value(text, key))
  }

  #value(text: string, { name, type }: Key): unknown {
    switch (type) {
      case "int": {
        const value = Number(text)
        return isInteger(text) && isInt(value) ? value : this.#wrong(text, name, type)
      }
      case "long": {
        const value = isInteger(text) ? BigInt(text.trim()) : this.#wrong(text, name, type)
        return value >= LONG_MIN && value <= LONG_MAX ? value : this.#wrong(text, name, type)
      }
      case "float":
      case "double": {
        const value = numberOfText(text) ?? this.#wrong(text, name, type)
        return type === "float" ? new Float(value) : double(value)
      }
      case "boolean":
        return this.#boolean(text.trim().toLowerCase()) ?? this.#wrong(text, name, type)
      default:
        return text
    }
  }

  #boolean(text: string): boolean | undefined {
    return text === "true" || text === "1" ? true : text === "false" || text === "0" ? false : undefined
  }

  #wrong(text: string, name: string, type: string): never {
    this.#fail(`The value '${text.slice(0, 60)}' of ${name} does not have the type ${type}`)
  }

  #give(open: OpenElement): void {
    const { id, kind, label, source, target, values } = open
    open.isGiven = true
    if (kind === "node") {
      const properties = Array.from(values, ([key, value]) => ({ id: undefined, key, value, meta: null }))
      this.#receiver.vertex({ id, label: label ?? this.#vertexLabel, properties })
    } else {
      this.#receiver.edge({ id, label: label ?? this.#edgeLabel, out: source, in: target, properties: values }, ALONE)
    }
  }
}

const opened = (kind: "node" | "edge", id: string | undefined, source: string, target: string): OpenElement => ({
  kind,
  isGiven: false,
  id,
  source,
  target,
  label: undefined,
  values: new Map()
})

/** The name of an element without its namespace prefix. */
const local = (name: string): string => name.slice(name.indexOf(":") + 1)

/** Maximum length of an integer. Converting megabytes of digits to a BigInt would take minutes. */
const LONGEST_INTEGER_CHARS = 64

const isInteger = (text: string): boolean => text.length <= LONGEST_INTEGER_CHARS && /^\s*[+-]?\d+\s*$/.test(text)

/** The encoding in the XML declaration; UTF-8 without one. */
const encodingOf = (bytes: Uint8Array): string => {
  const head = String.fromCharCode(...bytes.subarray(0, 100))
  const named = /^(?:\u00ef\u00bb\u00bf)?<\?xml[^>]*\bencoding\s*=\s*["']([A-Za-z0-9._-]+)["']/.exec(head)?.[1]
  try {
    return new TextDecoder(named ?? "utf-8").encoding
  } catch {
    throw new ProtocolError(`The encoding ${named} is not supported; convert the file to UTF-8`)
  }
}
