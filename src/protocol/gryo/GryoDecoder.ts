import { GremlinMap } from "../../structure/collections/Collections.ts"
import type { GraphDecoder, GraphReceiver, StreamedEdge, StreamedProperty } from "../../structure/graph/GraphStream.ts"
import { ProtocolError } from "../ProtocolError.ts"
import { Incomplete, KryoInput } from "./KryoInput.ts"
import { KryoReader } from "./KryoReader.ts"
import { BOOLEAN, HASH_MAP, INTEGER, STRING } from "./KryoTypes.ts"

/** The start of each vertex: `gio`, then space for a version. */
const MAGIC = Buffer.from("gio")
const HEADER_BYTES = 16

/** The end of each vertex: an object of the class VertexTerminator with these eight bytes. */
const TERMINATOR = Buffer.from("3a158a11709b9996", "hex")

/** Maximum number of bytes of a vertex with its edges, which are decoded at once. */
const MAX_VERTEX_BYTES = 268_435_456

/**
 * Reads a graph in Gryo 1 or 3. Each vertex has a header, its properties and edges (a star graph in Kryo's format), and a
 * terminator. The two versions only differ in classes that graphs do not contain.
 */
export class GryoDecoder implements GraphDecoder {
  readonly #receiver: GraphReceiver
  readonly #longest: number
  /** The bytes of the vertex that is incomplete. They are joined only when it may be complete. */
  #chunks: Array<Buffer> = []
  #length = 0
  /** The last bytes that were pushed: the next ones may complete a terminator. */
  #border: Buffer = Buffer.alloc(0)
  /** True if a terminator was pushed since the vertex was last read. */
  #hasTerminator = false
  /** The number of bytes at which the vertex is read again, because a value of it had the bytes of a terminator. */
  #again = 0
  /** True if the incomplete vertex begins as it must. */
  #hasMagic = false
  #vertices = 0

  /** `longest`: the maximum length of a vertex with its edges, bytes. */
  constructor(receiver: GraphReceiver, longest = MAX_VERTEX_BYTES) {
    this.#receiver = receiver
    this.#longest = longest
  }

  push(bytes: Uint8Array): void {
    const chunk = Buffer.from(bytes)
    const border = TERMINATOR.length - 1
    const begin = Buffer.concat([this.#border, chunk.subarray(0, border)])
    this.#hasTerminator ||= begin.includes(TERMINATOR) || chunk.includes(TERMINATOR)
    this.#border = chunk.length >= border ? chunk.subarray(-border) : begin.subarray(-border)
    this.#chunks.push(chunk)
    this.#length += chunk.length
    if (this.#hasTerminator && this.#length >= this.#again) this.#read()
    this.#checkMagic()
    if (this.#length <= this.#longest) return
    if (this.#hasTerminator) this.#read()
    if (this.#length > this.#longest) throw this.#tooLong()
  }

  end(): void {
    if (this.#hasTerminator) this.#read()
    if (this.#length > 0) {
      throw new ProtocolError(`The file ends inside the vertex number ${this.#vertices + 1}, or is no Gryo file`)
    }
  }

  #tooLong(): ProtocolError {
    return new ProtocolError(
      `The vertex number ${this.#vertices + 1} has more than ${this.#longest} bytes, so it has too many edges for Gryo. ` +
        "Use CSV, where each edge has a line of its own."
    )
  }

  /** Tests the first bytes of the incomplete vertex as soon as they are there: another file may never have a terminator. */
  #checkMagic(): void {
    if (this.#hasMagic || this.#length < MAGIC.length) return
    if (!Buffer.concat(this.#chunks, MAGIC.length).equals(MAGIC)) throw this.#isOther()
    this.#hasMagic = true
  }

  #isOther(): ProtocolError {
    return new ProtocolError(`The vertex number ${this.#vertices + 1} does not begin as in a Gryo file`)
  }

  /** Reads all complete vertices. */
  #read(): void {
    const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks)
    let from = 0
    let isIncomplete = false
    // Without a terminator the vertex is incomplete. With one it need not be complete: a value may contain the same bytes.
    while (!isIncomplete && bytes.includes(TERMINATOR, from)) {
      const next = this.#vertexAt(bytes, from)
      if (next === undefined) isIncomplete = true
      else from = next
    }
    const rest = bytes.subarray(from)
    // A copy, so that a few bytes do not keep many in memory.
    this.#chunks = rest.length === 0 ? [] : [rest.length * 2 < bytes.length ? Buffer.from(rest) : rest]
    this.#length = rest.length
    this.#hasTerminator = false
    this.#hasMagic = isIncomplete
    this.#again = isIncomplete ? rest.length * 2 : 0
  }

  /** Reads the vertex that begins at an offset. Returns its end; undefined if it is incomplete. */
  #vertexAt(bytes: Buffer, from: number): number | undefined {
    if (bytes.compare(MAGIC, 0, MAGIC.length, from, from + MAGIC.length) !== 0) throw this.#isOther()
    const input = new KryoInput(bytes, from + HEADER_BYTES, bytes.length)
    try {
      const star = new StarGraphReader(input).read()
      // The terminator: its class, a reference, then its one field, an array of bytes.
      input.skip(4 + TERMINATOR.length)
      this.#vertices++
      this.#receiver.vertex(star.vertex)
      for (const edge of star.into) this.#receiver.edge(edge, "in")
      for (const edge of star.out) this.#receiver.edge(edge, "out")
      return input.position
    } catch (error) {
      if (error instanceof Incomplete) return undefined
      if (error instanceof ProtocolError) {
        throw new ProtocolError(`In the vertex number ${this.#vertices + 1}: ${error.message}`)
      }
      throw error
    }
  }
}

const NONE: ReadonlyMap<string, unknown> = new Map()

/** Reads one star graph: a vertex and its edges with the ids of the adjacent vertices. */
class StarGraphReader {
  readonly #input: KryoInput
  readonly #reader: KryoReader

  constructor(input: KryoInput) {
    this.#input = input
    this.#reader = new KryoReader(input)
  }

  read() {
    const reader = this.#reader
    // The star graph itself is object 0, so its reference says that it is new.
    this.#input.varInt()
    reader.reserve()
    // Its version.
    this.#input.byte()
    const edgeProperties = asMap(reader.objectOrNull(HASH_MAP))
    const metaProperties = asMap(reader.objectOrNull(HASH_MAP))
    const id = reader.classAndObject()
    const label = this.#string()
    const into = this.#edges(edgeProperties, (edge, other) => ({ ...edge, out: other, in: id }))
    const out = this.#edges(edgeProperties, (edge, other) => ({ ...edge, out: id, in: other }))
    const properties = this.#properties(metaProperties)
    return { vertex: { id, label, properties }, into, out }
  }

  #string(): string {
    return String(this.#reader.object(STRING))
  }
  #count(): number {
    return this.#reader.object(INTEGER) as number
  }

  #edges(
    properties: GremlinMap,
    make: (edge: Omit<StreamedEdge, "out" | "in">, other: unknown) => StreamedEdge
  ): ReadonlyArray<StreamedEdge> {
    const edges: Array<StreamedEdge> = []
    if (this.#reader.object(BOOLEAN) !== true) return edges
    for (let labels = this.#count(); labels > 0; labels--) {
      const label = this.#string()
      for (let left = this.#count(); left > 0; left--) {
        const id = this.#reader.classAndObject()
        const other = this.#reader.classAndObject()
        edges.push(make({ id, label, properties: namesOf(properties.get(id)) ?? NONE }, other))
      }
    }
    return edges
  }

  #properties(metaProperties: GremlinMap): ReadonlyArray<StreamedProperty> {
    const properties: Array<StreamedProperty> = []
    if (this.#reader.object(BOOLEAN) !== true) return properties
    for (let keys = this.#count(); keys > 0; keys--) {
      const key = this.#string()
      for (let left = this.#count(); left > 0; left--) {
        const id = this.#reader.classAndObject()
        properties.push({ id, key, value: this.#reader.classAndObject(), meta: namesOf(metaProperties.get(id)) })
      }
    }
    return properties
  }
}

const asMap = (value: unknown): GremlinMap => (value instanceof GremlinMap ? value : new GremlinMap())

const namesOf = (value: unknown): ReadonlyMap<string, unknown> | null => {
  if (!(value instanceof GremlinMap) || value.size === 0) return null
  const names = new Map<string, unknown>()
  for (const [key, item] of value) names.set(String(key), item)
  return names
}
