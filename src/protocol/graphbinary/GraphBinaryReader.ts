import {
  Binding,
  Bytecode,
  Instruction,
  Lambda,
  type StrategySpec,
  Traverser
} from "../../process/language/Bytecode.ts"
import type { Predicate } from "../../process/language/Predicate.ts"
import { BulkSet, GremlinMap, GremlinSet } from "../../structure/Collections.ts"
import { dateOfFields } from "../../structure/Dates.ts"
import { Detached, type Edge, Property, type Vertex, VertexProperty } from "../../structure/Element.ts"
import { Metrics, TraversalMetrics } from "../../structure/Metrics.ts"
import { BigDecimal, BigInteger, Byte, double, Float, Short } from "../../structure/Numbers.ts"
import { Path } from "../../structure/Path.ts"
import {
  Char,
  ClassName,
  Duration,
  InetAddress,
  type OffsetDateTime,
  Timestamp,
  Uuid
} from "../../structure/Temporal.ts"
import { Tree } from "../../structure/Tree.ts"
import { readEnum } from "../EnumNames.ts"
import type { LongRead } from "../LongReads.ts"
import { predicateOfArguments } from "../Predicates.ts"
import { checkParts, makeOf, nameText } from "../ReadParts.ts"
import { strategyOf } from "../Strategies.ts"
import { uuidOfBytes } from "../Uuid.ts"
import { bigIntegerOfBytes } from "./BigIntegers.ts"
import { ByteReader, longestBigInteger } from "./ByteReader.ts"
import { readCustom } from "./CustomTypes.ts"
import { DataType, enumsByCode, temporalsByCode } from "./DataType.ts"
import { readGraph } from "./GraphReader.ts"
import { readTemporal } from "./TemporalReader.ts"

/** Bytes that one more value, and one of a type of its own, take in memory, about; the latter may be an empty collection. */
const VALUE = 32
const STRUCTURE = 128

const noInstructions: readonly Instruction[] = []
const noArguments: readonly unknown[] = []

/** A vertex or an edge that is being read, and where it lives: that of another slice is not this one's. */
interface ReadVertex {
  readonly elements: Detached
  readonly vertex: Vertex
}
interface ReadEdge {
  readonly elements: Detached
  readonly edge: Edge
}

const noLabels: ReadonlySet<string> = new Set()

/** The labels of one object of a path. */
const labelsOf = (set: unknown): ReadonlySet<string> => {
  if (!(set instanceof GremlinSet || Array.isArray(set))) return noLabels
  const count = Array.isArray(set) ? set.length : set.size
  if (count === 0) return noLabels
  checkParts(count, "labels of one object of a path")
  return new Set(Array.from(set, nameText))
}

/** Reads values of GraphBinary 1.0. Elements that arrive are detached ones. */
export class GraphBinaryReader extends ByteReader {
  #elements: Detached | undefined

  constructor(bytes: Buffer, position: number, maximumDepth?: number, long?: LongRead) {
    super(bytes, position, maximumDepth, long)
    long?.weigh(this)
  }

  /** Where the vertices and edges of this message live. */
  get elements(): Detached {
    this.#elements ??= new Detached()
    return this.#elements
  }

  /** A value with its type code, null of any type included. */
  value(): unknown {
    const code = this.unsignedByte()
    this.heldBytes += VALUE
    if (code === DataType.Custom) return readCustom(this)
    const flag = this.unsignedByte()
    if ((flag & 1) === 1) return this.#nullOf(code)
    switch (code) {
      case DataType.String:
        return this.string()
      case DataType.Int:
        return this.int()
      case DataType.Long:
        return this.long()
      case DataType.Boolean:
        return this.unsignedByte() !== 0
      case DataType.Double:
        return double(this.double())
    }
    this.enter()
    this.heldBytes += STRUCTURE
    const value = this.#structure(code)
    this.leave()
    return value
  }

  /** A null may have any type that exists. */
  #nullOf(code: number): null {
    if (code === DataType.UnspecifiedNull || code <= 0x30 || (code >= 0x80 && code <= 0x8e)) return null
    return this.fail(`The type code 0x${code.toString(16)} is not known`)
  }

  #structure(code: number): unknown {
    switch (code) {
      case DataType.P:
      case DataType.TextP:
        return this.#predicate()
      case DataType.Bytecode:
        return this.#bytecode()
      case DataType.List:
        return this.list()
      case DataType.Map:
        return this.map()
      case DataType.Set:
        return this.#set()
      case DataType.Vertex:
        return this.#vertex()
      case DataType.Edge:
        return this.#edge()
      case DataType.VertexProperty:
        return this.#vertexProperty()
      case DataType.Property:
        return this.property()
      case DataType.Path:
        return this.#path()
      case DataType.Traverser:
        return this.#traverser()
      case DataType.TraversalStrategy:
        return this.#strategy()
      case DataType.Binding:
        return new Binding(this.string(), this.value())
      case DataType.Lambda:
        return this.#lambda()
      case DataType.BulkSet:
        return this.#bulkSet()
      case DataType.Tree:
        return this.#tree()
      case DataType.Graph:
        return readGraph(this)
      case DataType.Metrics:
        return this.#metrics()
      case DataType.TraversalMetrics:
        return new TraversalMetrics(this.long(), this.#metricsList())
      default:
        return this.#scalar(code)
    }
  }

  #scalar(code: number): unknown {
    switch (code) {
      case DataType.Uuid:
        return new Uuid(uuidOfBytes(this.bytes, this.skip(16)))
      case DataType.Date:
        return new Timestamp(this.safeLong("A date"))
      case DataType.Timestamp:
        return new Timestamp(this.safeLong("A timestamp"), true)
      case DataType.Class:
        return new ClassName(this.string())
      case DataType.Float:
        return new Float(this.float())
      case DataType.Byte:
        return new Byte(this.byte())
      case DataType.Short:
        return new Short(this.short())
      case DataType.BigInteger:
        return new BigInteger(this.bigInteger())
      case DataType.BigDecimal:
        return this.#bigDecimal()
      case DataType.ByteBuffer:
        return this.buffer("a ByteBuffer")
      case DataType.Char:
        return this.#char()
      case DataType.Duration:
        return this.#duration()
      case DataType.InetAddress:
        return this.#inetAddress()
      case DataType.OffsetDateTime:
        return this.#offsetDateTime()
    }
    const enumName = enumsByCode.get(code)
    if (enumName !== undefined) {
      const name = this.value()
      return readEnum(enumName, typeof name === "string" ? name : this.fail("The constant of an enum is no string"))
    }
    const temporal = temporalsByCode.get(code)
    if (temporal !== undefined) return readTemporal(this, temporal)
    return this.fail(`The type code 0x${code.toString(16)} is not known`)
  }

  bigInteger(): bigint {
    const length = this.length(1, "a BigInteger")
    if (length > longestBigInteger) this.fail(`A BigInteger has more than ${longestBigInteger} bytes`)
    const at = this.skip(length)
    return bigIntegerOfBytes(this.bytes, at, at + length)
  }

  #bigDecimal(): BigDecimal {
    const scale = this.int()
    return new BigDecimal(this.bigInteger(), scale)
  }

  #char(): Char {
    const first = this.bytes[this.position] ?? 0
    const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
    const at = this.skip(length)
    return new Char(this.bytes.toString("utf8", at, at + length))
  }

  #duration(): Duration {
    const seconds = this.long()
    const nanos = this.int()
    if (nanos < 0 || nanos > 999_999_999) this.fail("A Duration's nanoseconds are out of range")
    return new Duration(seconds, nanos)
  }

  #inetAddress(): InetAddress {
    const bytes = this.buffer("an InetAddress")
    if (bytes.length !== 4 && bytes.length !== 16) this.fail("An InetAddress has neither 4 nor 16 bytes")
    return new InetAddress(bytes)
  }

  #offsetDateTime(): OffsetDateTime {
    const year = this.int()
    const month = this.unsignedByte()
    const day = this.unsignedByte()
    const nanoOfDay = this.long()
    const offset = this.int()
    const valid = month >= 1 && month <= 12 && day >= 1 && day <= 31 && Math.abs(offset) <= 64_800
    if (!valid || nanoOfDay < 0n || nanoOfDay >= 86_400_000_000_000n)
      this.fail("An OffsetDateTime has a field out of range")
    return dateOfFields({ year, month, day, nanoOfDay }, offset)
  }

  /** A list without its type code. */
  list(): Array<unknown> {
    const length = this.length(2, "a list")
    const loop = this.slices?.enter(this.position, [], this.position, null)
    const values = (loop?.items ?? []) as Array<unknown>
    if (loop !== undefined) this.position = loop.position
    while (values.length < length) {
      values.push(this.value())
      this.slices?.step(this.position, null)
    }
    this.slices?.leave(length)
    return values
  }

  #set(): GremlinSet {
    const length = this.length(2, "a set")
    const loop = this.slices?.enter(this.position, new GremlinSet(), this.position, 0)
    const set = (loop?.items ?? new GremlinSet()) as GremlinSet
    if (loop !== undefined) this.position = loop.position
    for (let i = (loop?.state ?? 0) as number; i < length; i++) {
      set.add(this.value())
      this.slices?.step(this.position, i + 1)
    }
    this.slices?.leave(length)
    return set
  }

  /** A map without its type code. */
  map(): GremlinMap {
    const length = this.length(4, "a map")
    const loop = this.slices?.enter(this.position, new GremlinMap(), this.position, 0)
    const map = (loop?.items ?? new GremlinMap()) as GremlinMap
    if (loop !== undefined) this.position = loop.position
    for (let i = (loop?.state ?? 0) as number; i < length; i++) {
      const key = this.value()
      map.set(key, this.value())
      this.slices?.step(this.position, i + 1)
    }
    this.slices?.leave(length)
    return map
  }

  #bulkSet(): BulkSet {
    const length = this.length(10, "a BulkSet")
    const loop = this.slices?.enter(this.position, new BulkSet(), this.position, 0)
    const set = (loop?.items ?? new BulkSet()) as BulkSet
    if (loop !== undefined) this.position = loop.position
    for (let i = (loop?.state ?? 0) as number; i < length; i++) {
      const value = this.value()
      set.add(value, this.#count())
      this.slices?.step(this.position, i + 1)
    }
    this.slices?.leave(length)
    return set
  }

  #count(): number {
    const count = this.safeLong("A count")
    return count < 0 ? this.fail("A count is negative") : count
  }

  #traverser(): Traverser {
    const bulk = this.#count()
    return new Traverser(this.value(), bulk)
  }

  #tree(): Tree {
    const length = this.length(6, "a tree")
    this.heldBytes += STRUCTURE
    this.enter()
    const loop = this.slices?.enter(this.position, new GremlinMap(), this.position, 0)
    const children = (loop?.items ?? new GremlinMap()) as GremlinMap
    if (loop !== undefined) this.position = loop.position
    for (let i = (loop?.state ?? 0) as number; i < length; i++) {
      const key = this.value()
      children.set(key, this.#tree())
      this.slices?.step(this.position, i + 1)
    }
    this.slices?.leave(length)
    this.leave()
    return new Tree(children)
  }

  #predicate(): Predicate {
    const name = this.string()
    return predicateOfArguments(name, this.list())
  }

  #bytecode(): Bytecode {
    const step = this.#instructions()
    return new Bytecode(this.#instructions(), step)
  }

  #instructions(): readonly Instruction[] {
    const length = this.length(8, "the instructions")
    if (length === 0) return noInstructions
    const loop = this.slices?.enter(this.position, [], this.position, null)
    const found = (loop?.items ?? []) as Array<Instruction>
    if (loop !== undefined) this.position = loop.position
    while (found.length < length) {
      found.push(this.#instruction())
      this.slices?.step(this.position, null)
    }
    this.slices?.leave(length)
    return found
  }

  #instruction(): Instruction {
    this.heldBytes += STRUCTURE
    const name = this.string()
    const count = this.length(2, "the arguments")
    if (count === 0) return new Instruction(name, noArguments)
    const loop = this.slices?.enter(this.position, [], this.position, null)
    const args = (loop?.items ?? []) as Array<unknown>
    if (loop !== undefined) this.position = loop.position
    while (args.length < count) {
      args.push(this.value())
      this.slices?.step(this.position, null)
    }
    this.slices?.leave(count)
    return new Instruction(name, args)
  }

  #strategy(): StrategySpec {
    const className = this.string()
    return strategyOf(className, this.map())
  }

  #lambda(): Lambda {
    const language = this.string()
    const script = this.string()
    return new Lambda(script, language, this.int())
  }

  /** The elements of a list of properties, or of its null. */
  #properties(): readonly unknown[] {
    const properties = this.value()
    if (properties === null) return noArguments
    if (Array.isArray(properties)) return properties
    return this.fail("The properties of an element are no list")
  }

  #vertex(): Vertex {
    const start = this.position
    const id = this.value()
    const label = this.string()
    const begin = (): ReadVertex => ({ elements: this.elements, vertex: this.elements.addVertex(id, label) })
    return this.#made(start, this.#properties(), begin, ({ elements, vertex }, property) => {
      if (!(property instanceof VertexProperty)) return this.fail("A property of a vertex is no VertexProperty")
      elements.addVertexProperty(vertex, property.id, property.key, property.value, property.meta)
    }).vertex
  }

  /** Makes a value that begins at a place of the parts that were just read; see {@link makeOf}. */
  #made<R>(start: number, parts: readonly unknown[], begin: () => R, add: (result: R, part: unknown) => void): R {
    return makeOf(this.slices, { start, end: this.position, count: parts.length }, parts, begin, add)
  }

  #edge(): Edge {
    const start = this.position
    const id = this.value()
    const label = this.string()
    const inId = this.value()
    const into = this.elements.addVertex(inId, this.string())
    const outId = this.value()
    const out = this.elements.addVertex(outId, this.string())
    this.value()
    const begin = (): ReadEdge => ({ elements: this.elements, edge: this.elements.addEdge(id, label, out, into) })
    return this.#made(start, this.#properties(), begin, ({ edge, elements }, property) => {
      if (!(property instanceof Property)) return this.fail("A property of an edge is no Property")
      elements.addEdgeProperty(edge, property.key, property.value)
    }).edge
  }

  #vertexProperty(): VertexProperty {
    const id = this.value()
    const key = this.string()
    const value = this.value()
    this.value()
    return new VertexProperty(null, id, key, value, this.metaOf(this.#properties()))
  }

  /** Meta-properties by key; null when there are none. */
  metaOf(properties: readonly unknown[]): ReadonlyMap<string, unknown> | null {
    if (properties.length === 0) return null
    checkParts(properties.length, "meta-properties")
    const meta = new Map<string, unknown>()
    for (const property of properties) {
      if (!(property instanceof Property)) return this.fail("A meta-property is no Property")
      meta.set(property.key, property.value)
    }
    return meta
  }

  /** A property without its type code. */
  property(): Property {
    const key = this.string()
    const value = this.value()
    this.value()
    return new Property(null, key, value)
  }

  #path(): Path {
    const start = this.position
    const labels = this.value()
    const objects = this.value()
    if (!Array.isArray(labels) || !Array.isArray(objects) || labels.length !== objects.length) {
      return this.fail("A path has not as many sets of labels as objects")
    }
    const begin = (): Array<ReadonlySet<string>> => []
    return new Path(
      objects,
      this.#made(start, labels, begin, (sets, set) => {
        sets.push(labelsOf(set))
      })
    )
  }

  #metrics(): Metrics {
    const id = this.string()
    const name = this.string()
    const duration = this.long()
    const counts = this.#named((count) => (typeof count === "bigint" ? count : 0n))
    const annotations = this.#named((value) => value)
    return new Metrics({ id, name, duration, counts, annotations, nested: this.#metricsList() })
  }

  /** A map without its type code, by names. */
  #named<A>(convert: (value: unknown) => A): ReadonlyMap<string, A> {
    const map = this.map()
    checkParts(map.size, "counts or annotations")
    const found = new Map<string, A>()
    for (const [key, value] of map) found.set(nameText(key), convert(value))
    return found
  }

  #metricsList(): readonly Metrics[] {
    return this.list().map((item) => (item instanceof Metrics ? item : this.fail("An item of metrics is no Metrics")))
  }
}
