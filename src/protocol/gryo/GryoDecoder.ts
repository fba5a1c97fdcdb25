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

/**
 * Reads a graph in Gryo 1 or 3. Each vertex has a header, its properties and edges (a star graph in Kryo's format), and a
 * terminator. The two versions only differ in classes that graphs do not contain.
 */
export class GryoDecoder implements GraphDecoder {
  readonly #receiver: GraphReceiver
  #bytes: Buffer = Buffer.alloc(0)
  /** Offset up to which terminators were searched. */
  #searched = 0
  #vertices = 0

  constructor(receiver: GraphReceiver) {
    this.#receiver = receiver
  }

  push(bytes: Uint8Array): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes])
    let from = 0
    for (;;) {
      const found = this.#bytes.indexOf(TERMINATOR, this.#searched)
      if (found < 0) break
      const end = found + TERMINATOR.length
      const next = this.#vertexAt(from, end)
      // A value may contain the bytes of a terminator. Then the vertex continues after them.
      this.#searched = next ?? end
      if (next !== undefined) from = next
    }
    this.#searched = Math.max(from, this.#bytes.length - TERMINATOR.length + 1)
    this.#bytes = this.#bytes.subarray(from)
    this.#searched = Math.max(0, this.#searched - from)
  }

  end(): void {
    if (this.#bytes.length > 0) {
      throw new ProtocolError(`The file ends inside the vertex number ${this.#vertices + 1}, or is no Gryo file`)
    }
  }

  /** Reads the vertex in a range of bytes. Gives its end; undefined when the range is too short. */
  #vertexAt(from: number, end: number): number | undefined {
    if (this.#bytes.compare(MAGIC, 0, MAGIC.length, from, from + MAGIC.length) !== 0) {
      throw new ProtocolError(`The vertex number ${this.#vertices + 1} does not begin as in a Gryo file`)
    }
    const input = new KryoInput(this.#bytes, from + HEADER_BYTES, end)
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
