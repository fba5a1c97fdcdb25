import { Binding, Bytecode, type Instruction, Lambda, StrategySpec, Traverser } from "../../process/Bytecode.ts"
import { isPredicate, type Predicate, TextP } from "../../process/Predicate.ts"
import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../../structure/Collections.ts"
import { dateFields } from "../../structure/Dates.ts"
import { Edge, Property, Vertex, VertexProperty } from "../../structure/Element.ts"
import { EnumValue } from "../../structure/Enums.ts"
import { Geoshape } from "../../structure/Geoshape.ts"
import { Metrics, TraversalExplanation, TraversalMetrics } from "../../structure/Metrics.ts"
import { BigDecimal, BigInteger, Byte, Double, Float, isInt, Short } from "../../structure/Numbers.ts"
import { Path, Tree } from "../../structure/Path.ts"
import { SubGraph } from "../../structure/SubGraph.ts"
import {
  Char,
  ClassName,
  Duration,
  InetAddress,
  OffsetDateTime,
  Temporal,
  Timestamp,
  Uuid
} from "../../structure/Temporal.ts"
import { relationParts } from "../JanusGraphTypes.ts"
import { byteParts, LONG_PART, textParts } from "../LongParts.ts"
import { endsBefore, longWriteOf, longWriteOfParts, type WriteProgress } from "../LongWrites.ts"
import type { ResultData } from "../Messages.ts"
import { argumentsOf, operatorOf } from "../Predicates.ts"
import { SerializationError } from "../ProtocolError.ts"
import { strategyClass } from "../Strategies.ts"
import { temporalFields } from "../TemporalFields.ts"
import { writeUuid } from "../Uuid.ts"
import { bigIntegerBytes } from "./BigIntegers.ts"
import { ByteWriter } from "./ByteWriter.ts"
import { writeGeoshape, writeRelationIdentifier } from "./CustomWriting.ts"
import { DataType, enumCodes, temporalCodes } from "./DataType.ts"

/** Writes values of GraphBinary 1.0. */
export class GraphBinaryWriter extends ByteWriter {
  /** False: elements are written with null for their properties. */
  properties = true
  /** Ids of edges and properties, and shapes, are written as JanusGraph's custom types. */
  janusGraph = false

  /** A value with its type code. Fails with SerializationError for what is no value of Gremlin. */
  value(value: unknown): void {
    switch (typeof value) {
      case "string":
        this.type(DataType.String)
        if (value.length > LONG_PART) this.#longString(value)
        else this.string(value)
        return
      case "number":
        if (isInt(value)) this.typedInt(value)
        else this.#double(value)
        return
      case "bigint":
        this.type(DataType.Long)
        this.long(value)
        return
      case "boolean":
        this.type(DataType.Boolean)
        this.byte(value ? 1 : 0)
        return
      case "undefined":
        this.null()
        return
      case "object":
        if (value === null) this.null()
        else this.#object(value)
        return
      default:
        throw new SerializationError(`A result is a ${typeof value}, which cannot be sent to a client.`)
    }
  }

  /** A string that may be one of megabytes: its bytes are counted part by part before they are written. */
  #longString(text: string): void {
    const long = longWriteOfParts(text.length)
    if (long === null) {
      this.string(text)
      return
    }
    this.int(long.sum(textParts(text), Buffer.byteLength, this.#resumed))
    long.parts(textParts(text), this.#text, this.#resumed)
  }

  readonly #text = (part: string): undefined => this.text(part) as undefined

  readonly #bytes = (part: Uint8Array): undefined => this.bytes(part) as undefined

  #double(value: number): void {
    this.type(DataType.Double)
    this.double(value)
  }

  #object(value: object): void {
    if (value instanceof Vertex) this.#vertex(value)
    else if (value instanceof GremlinMap) this.#typedMap(value)
    else if (Array.isArray(value)) this.list(value)
    else if (value instanceof Double) this.#double(value.value)
    else if (value instanceof Edge) this.#edge(value)
    else if (value instanceof Traverser) this.#traverser(value.value, value.bulk)
    else if (value instanceof VertexProperty) this.#vertexProperty(value)
    else if (value instanceof Property) this.#property(value.key, value.value)
    else if (value instanceof Path) this.#path(value)
    else if (value instanceof GremlinSet) this.#collection(DataType.Set, value.size, value)
    else if (value instanceof BulkSet) this.#bulkSet(value)
    else if (value instanceof MapEntry) this.#typedMap(new GremlinMap([[value.key, value.value]]))
    else if (value instanceof EnumValue) this.#enum(value)
    else if (!this.#number(value) && !this.#scalar(value)) this.#structure(value)
  }

  #number(value: object): boolean {
    if (value instanceof Float) {
      this.type(DataType.Float)
      this.float(value.value)
    } else if (value instanceof Byte) {
      this.type(DataType.Byte)
      this.byte(value.value)
    } else if (value instanceof Short) {
      this.type(DataType.Short)
      this.short(value.value)
    } else if (value instanceof BigInteger) {
      this.type(DataType.BigInteger)
      this.#bigInteger(value.value)
    } else if (value instanceof BigDecimal) {
      this.type(DataType.BigDecimal)
      this.int(value.scale)
      this.#bigInteger(value.unscaled)
    } else return false
    return true
  }

  #scalar(value: object): boolean {
    if (value instanceof Uuid) {
      this.type(DataType.Uuid)
      this.uuid(value.text)
    } else if (value instanceof OffsetDateTime) this.#offsetDateTime(value)
    else if (value instanceof Timestamp) {
      this.type(value.sql ? DataType.Timestamp : DataType.Date)
      this.longOfNumber(value.epochMillis)
    } else if (value instanceof Duration) {
      this.type(DataType.Duration)
      this.long(value.seconds)
      this.int(value.nanos)
    } else if (value instanceof Char) {
      this.type(DataType.Char)
      this.text(value.text)
    } else if (value instanceof Uint8Array) this.#buffer(DataType.ByteBuffer, value)
    else if (value instanceof InetAddress) this.#buffer(DataType.InetAddress, value.bytes)
    else if (value instanceof Temporal) this.#temporal(value)
    else if (value instanceof ClassName) {
      this.type(DataType.Class)
      this.string(value.name)
    } else if (value instanceof Geoshape) {
      if (this.janusGraph && value.shape.kind !== "other") writeGeoshape(this, value)
      else {
        this.type(DataType.String)
        this.string(String(value))
      }
    } else return false
    return true
  }

  #structure(value: object): void {
    if (value instanceof Tree) {
      this.type(DataType.Tree)
      this.#tree(value)
    } else if (value instanceof SubGraph) this.#graph(value)
    else if (value instanceof TraversalMetrics) {
      this.type(DataType.TraversalMetrics)
      this.long(value.duration)
      this.#metricsList(value.metrics)
    } else if (value instanceof Metrics) {
      this.type(DataType.Metrics)
      this.#metrics(value)
    } else if (value instanceof TraversalExplanation) this.#explanation(value)
    else if (value instanceof Bytecode) {
      this.type(DataType.Bytecode)
      this.#instructions(value.stepInstructions)
      this.#instructions(value.sourceInstructions)
    } else if (isPredicate(value)) this.#predicate(value)
    else if (value instanceof StrategySpec) {
      this.type(DataType.TraversalStrategy)
      this.string(strategyClass(value.name))
      this.map(value.configuration)
    } else if (value instanceof Binding) {
      this.type(DataType.Binding)
      this.string(value.key)
      this.value(value.value)
    } else if (value instanceof Lambda) {
      this.type(DataType.Lambda)
      this.string(value.language)
      this.string(value.script)
      this.int(value.argumentCount)
    } else {
      throw new SerializationError(
        `A result of type ${value.constructor?.name ?? "object"} cannot be sent to a client.`
      )
    }
  }

  /** The 16 bytes of a canonical UUID text. */
  uuid(text: string): void {
    const at = this.position
    writeUuid(text, this.room(16), at)
  }

  #bigInteger(value: bigint): void {
    const bytes = bigIntegerBytes(value)
    this.int(bytes.length)
    this.bytes(bytes)
  }

  #buffer(code: number, bytes: Uint8Array): void {
    this.type(code)
    this.int(bytes.length)
    const long = longWriteOfParts(bytes.length)
    if (long === null) this.bytes(bytes)
    else long.parts(byteParts(bytes), this.#bytes, this.#resumed)
  }

  #enum(value: EnumValue): void {
    this.type(enumCodes[value.enumName])
    this.type(DataType.String)
    this.string(value.name)
  }

  #offsetDateTime(value: OffsetDateTime): void {
    const fields = dateFields(value)
    this.type(DataType.OffsetDateTime)
    this.#date(fields)
    this.long(fields.nanoOfDay)
    this.int(value.offsetSeconds)
  }

  #date(fields: { readonly year: number; readonly month: number; readonly day: number }): void {
    this.int(fields.year)
    this.byte(fields.month)
    this.byte(fields.day)
  }

  #temporal(value: Temporal): void {
    const fields = temporalFields(value.name, value.text)
    this.type(temporalCodes[value.name])
    switch (value.name) {
      case "Instant":
        this.long(fields.epochSeconds)
        this.int(fields.nanos)
        return
      case "MonthDay":
        this.byte(fields.month)
        this.byte(fields.day)
        return
      case "Period":
        this.int(fields.year)
        this.int(fields.month)
        this.int(fields.day)
        return
      case "Year":
        this.int(fields.year)
        return
      case "YearMonth":
        this.int(fields.year)
        this.byte(fields.month)
        return
    }
    if (value.name === "LocalDate" || value.name.endsWith("DateTime")) this.#date(fields)
    if (value.name.endsWith("Time")) this.long(fields.nanoOfDay)
    if (!value.name.startsWith("Local")) this.int(fields.offsetSeconds)
  }

  #collection(code: number, size: number, values: Iterable<unknown>): void {
    this.type(code)
    this.int(size)
    this.#members(values, size, this.#value)
  }

  readonly #value = (value: unknown): undefined => this.value(value) as undefined

  /** What a collection holds; `write` is called for each member. */
  #members<A>(collection: Iterable<A> & object, size: number, write: (member: A) => undefined): void {
    const long = longWriteOf(collection)
    if (long === null) for (const member of collection) write(member)
    else long.members(size, collection, write, this.#resumed)
  }

  /** What a slice writes before it comes to where the last one ended is there already. */
  readonly #resumed = (): void => {
    this.position = 0
  }

  list(values: readonly unknown[]): void {
    this.type(DataType.List)
    this.int(values.length)
    const long = longWriteOf(values)
    if (long === null) for (let i = 0; i < values.length; i++) this.value(values[i])
    else long.members(values.length, values, this.#value, this.#resumed)
  }

  #typedMap(map: GremlinMap): void {
    this.type(DataType.Map)
    this.int(map.size)
    const long = longWriteOf(map)
    if (long !== null) {
      long.members(map.size, map, this.#entry, this.#resumed)
      return
    }
    map.forEach((value, key) => {
      this.value(key)
      this.value(value)
    })
  }

  readonly #entry = ([key, value]: readonly [unknown, unknown]): undefined => {
    this.value(key)
    this.value(value)
  }

  /** A map of named values without type code. */
  map(map: ReadonlyMap<string, unknown>): void {
    this.int(map.size)
    for (const [key, value] of map) {
      this.value(key)
      this.value(value)
    }
  }

  #bulkSet(set: BulkSet): void {
    this.type(DataType.BulkSet)
    this.int(set.uniqueSize)
    const write = ([value, count]: [unknown, number]): undefined => {
      this.value(value)
      this.longOfNumber(count)
    }
    const long = longWriteOf(set)
    if (long === null) for (const entry of set.entries()) write(entry)
    else long.members(set.uniqueSize, set.entries(), write, this.#resumed)
  }

  #traverser(value: unknown, bulk: number): void {
    this.type(DataType.Traverser)
    this.longOfNumber(bulk)
    this.value(value)
  }

  #vertex(vertex: Vertex): void {
    this.type(DataType.Vertex)
    this.value(vertex.id)
    this.string(vertex.label)
    if (!this.properties) return this.null()
    const properties = vertex.properties()
    this.type(DataType.List)
    this.int(properties.length)
    for (let i = 0; i < properties.length; i++) this.#vertexProperty(properties[i]!)
  }

  #vertexProperty(property: VertexProperty): void {
    this.type(DataType.VertexProperty)
    this.#vertexPropertyHead(property)
    if (!this.properties) return this.null()
    this.type(DataType.List)
    this.#metaProperties(property)
  }

  /** Up to the parent, which is always null. */
  #vertexPropertyHead(property: VertexProperty): void {
    this.#id(property.id)
    this.string(property.key)
    this.value(property.value)
    this.null()
  }

  #metaProperties({ meta }: VertexProperty): void {
    this.int(meta === null ? 0 : meta.size)
    if (meta !== null) for (const [key, value] of meta) this.#property(key, value)
  }

  #property(key: string, value: unknown): void {
    this.type(DataType.Property)
    this.string(key)
    this.value(value)
    this.null()
  }

  /** The id of an edge or a property. */
  #id(id: unknown): void {
    const parts = this.janusGraph ? relationParts(id) : undefined
    if (parts === undefined) this.value(id)
    else writeRelationIdentifier(this, parts)
  }

  #edge(edge: Edge): void {
    const { inVertex, outVertex } = edge
    this.type(DataType.Edge)
    this.#id(edge.id)
    this.string(edge.label)
    this.value(inVertex.id)
    this.string(inVertex.label)
    this.value(outVertex.id)
    this.string(outVertex.label)
    this.null()
    if (!this.properties) return this.null()
    this.type(DataType.List)
    this.#properties(edge.properties())
  }

  #properties(properties: readonly Property[]): void {
    this.int(properties.length)
    for (const property of properties) this.#property(property.key, property.value)
  }

  #path(path: Path): void {
    this.type(DataType.Path)
    this.type(DataType.List)
    this.int(path.labels.length)
    this.#members(path.labels, path.labels.length, this.#labels)
    this.list(path.objects)
  }

  readonly #labels = (labels: ReadonlySet<string>): undefined =>
    this.#collection(DataType.Set, labels.size, labels) as undefined

  #tree(tree: Tree): void {
    this.int(tree.children.size)
    this.#members(tree.children, tree.children.size, ([key, child]): undefined => {
      this.value(key)
      this.#tree(child as Tree)
    })
  }

  /** Elements of a graph have forms of their own: no type codes around properties, no labels at an edge's vertices. */
  #graph(graph: SubGraph): void {
    this.type(DataType.Graph)
    this.int(graph.vertices.length)
    this.#members(graph.vertices, graph.vertices.length, (vertex): undefined => {
      const properties = vertex.properties()
      this.value(vertex.id)
      this.string(vertex.label)
      this.int(properties.length)
      for (const property of properties) {
        this.#vertexPropertyHead(property)
        this.#metaProperties(property)
      }
    })
    this.int(graph.edges.length)
    this.#members(graph.edges, graph.edges.length, (edge): undefined => {
      this.value(edge.id)
      this.string(edge.label)
      this.value(edge.inVertex.id)
      this.null()
      this.value(edge.outVertex.id)
      this.null()
      this.null()
      this.#properties(edge.properties())
    })
  }

  #metricsList(list: readonly Metrics[]): void {
    this.int(list.length)
    for (const metrics of list) this.value(metrics)
  }

  #metrics(metrics: Metrics): void {
    this.string(metrics.id)
    this.string(metrics.name)
    this.long(metrics.duration)
    this.map(metrics.counts)
    this.map(metrics.annotations)
    this.#metricsList(metrics.nested)
  }

  /** GraphBinary has no type for it: a map with the same names as in GraphSON. */
  #explanation(explanation: TraversalExplanation): void {
    const intermediate = explanation.intermediate.map(
      (item) =>
        new GremlinMap([
          ["strategy", item.strategy],
          ["category", item.category],
          ["traversal", item.steps]
        ])
    )
    this.value(
      new GremlinMap([
        ["original", explanation.original],
        ["intermediate", intermediate],
        ["final", explanation.final]
      ])
    )
  }

  #instructions(instructions: readonly Instruction[]): void {
    this.int(instructions.length)
    for (const { operator, args } of instructions) {
      this.string(operator)
      this.int(args.length)
      for (const argument of args) this.value(argument)
    }
  }

  #predicate(predicate: Predicate): void {
    const values = argumentsOf(predicate)
    this.type(predicate instanceof TextP ? DataType.TextP : DataType.P)
    this.string(operatorOf(predicate))
    this.int(values.length)
    for (const value of values) this.value(value)
  }

  /** A batch's results, without the list around them: all, or with `progress` those from its row on that make a piece; that row is not long. */
  results(data: ResultData, progress?: WriteProgress): void {
    const { values, length, bulks, asTraversers } = data
    const start = this.position
    let i = progress === undefined ? 0 : progress.row
    for (; i < length; i++) {
      if (progress !== undefined && endsBefore(progress, i, this.position - start, values[i])) break
      const bulk = bulks === null || asTraversers ? 1 : bulks[i]!
      for (let n = 0; n < bulk; n++) this.row(data, i)
    }
    if (progress !== undefined) progress.row = i
  }

  /** One result of a batch. */
  row({ values, bulks, asTraversers }: ResultData, row: number): void {
    if (asTraversers) this.#traverser(values[row], bulks === null ? 1 : bulks[row]!)
    else this.value(values[row])
  }
}
