import { Binding, Bytecode, Lambda, StrategySpec, Traverser } from "../../process/language/Bytecode.ts"
import { isPredicate } from "../../process/language/Predicate.ts"
import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../../structure/collections/Collections.ts"
import { HostConstant } from "../../structure/collections/HostConstant.ts"
import { Tree } from "../../structure/collections/Tree.ts"
import { Edge, Property, Vertex, VertexProperty } from "../../structure/elements/Element.ts"
import { Path } from "../../structure/elements/Path.ts"
import { SubGraph } from "../../structure/elements/SubGraph.ts"
import { Double, isInt } from "../../structure/numbers/Numbers.ts"
import { Metrics, TraversalExplanation, TraversalMetrics } from "../../structure/profiles/Metrics.ts"
import { EnumValue } from "../../structure/scalars/Enums.ts"
import { typeName } from "../../structure/texts/TypeNames.ts"
import { LONG_VALUE_LENGTH } from "../LongParts.ts"
import type { ResultData } from "../Messages.ts"
import { SerializationError } from "../ProtocolError.ts"
import { WriteMode } from "../WriteMode.ts"
import { endsBefore, type WriteProgress } from "../WriteProgress.ts"
import { ByteWriter } from "./ByteWriter.ts"
import { DataType } from "./DataType.ts"
import {
  writeBulkSet,
  writeCollection,
  writeEdge,
  writeEntry,
  writeGraph,
  writeList,
  writeMap,
  writePath,
  writeProperty,
  writeTraverser,
  writeTree,
  writeVertex,
  writeVertexProperty
} from "./ElementWriters.ts"
import { writeBytecode, writePredicate, writeStrategy } from "./LanguageWriters.ts"
import { writeExplanation, writeMetrics, writeTraversalMetrics } from "./MetricsWriters.ts"
import { writeEnum, writeLongString, writesNumber, writesScalar } from "./ScalarWriters.ts"
import type { ValueWriter } from "./ValueWriter.ts"

/** Writes values of GraphBinary 1.0. */
export class GraphBinaryWriter implements ValueWriter {
  readonly output = new ByteWriter()
  readonly mode = new WriteMode()
  properties = true
  datesOnly = false
  janusGraph = false

  readonly resumed = (): void => {
    this.output.position = 0
  }

  /** Writes a value with its type code. Fails with SerializationError for a value that is not Gremlin's. */
  value(value: unknown): void {
    const { output } = this
    switch (typeof value) {
      case "string":
        output.type(DataType.String)
        if (value.length > LONG_VALUE_LENGTH) writeLongString(this, value)
        else output.string(value)
        return
      case "number":
        if (isInt(value)) output.typedInt(value)
        else output.typedDouble(value)
        return
      case "bigint":
        output.type(DataType.Long)
        output.long(value)
        return
      case "boolean":
        output.type(DataType.Boolean)
        output.byte(value ? 1 : 0)
        return
      case "undefined":
        output.null()
        return
      case "object":
        if (value === null) output.null()
        else this.#object(value)
        return
      default:
        throw new SerializationError(`A result is a ${typeof value}, which cannot be sent to a client.`)
    }
  }

  #object(value: object): void {
    if (value instanceof Vertex) writeVertex(this, value)
    else if (value instanceof GremlinMap) writeMap(this, value)
    else if (Array.isArray(value)) writeList(this, value)
    else if (value instanceof Double) this.output.typedDouble(value.value)
    else if (value instanceof Edge) writeEdge(this, value)
    else if (value instanceof Traverser) writeTraverser(this, value.value, value.bulk)
    else if (value instanceof VertexProperty) writeVertexProperty(this, value)
    else if (value instanceof Property) writeProperty(this, value)
    else if (value instanceof Path) writePath(this, value)
    else if (value instanceof GremlinSet) writeCollection(this, DataType.Set, value.size, value)
    else if (value instanceof BulkSet) writeBulkSet(this, value)
    else if (value instanceof MapEntry) writeEntry(this, value)
    else if (value instanceof EnumValue) writeEnum(this.output, value)
    else if (value instanceof HostConstant) this.value(value.name)
    else if (!writesNumber(this.output, value) && !writesScalar(this, value)) this.#structure(value)
  }

  #structure(value: object): void {
    const { output } = this
    if (value instanceof Tree) {
      output.type(DataType.Tree)
      writeTree(this, value)
    } else if (value instanceof SubGraph) writeGraph(this, value)
    else if (value instanceof TraversalMetrics) writeTraversalMetrics(this, value)
    else if (value instanceof Metrics) writeMetrics(this, value)
    else if (value instanceof TraversalExplanation) writeExplanation(this, value)
    else if (value instanceof Bytecode) writeBytecode(this, value)
    else if (isPredicate(value)) writePredicate(this, value)
    else if (value instanceof StrategySpec) writeStrategy(this, value)
    else if (value instanceof Binding) {
      output.type(DataType.Binding)
      output.string(value.key)
      this.value(value.value)
    } else if (value instanceof Lambda) {
      output.type(DataType.Lambda)
      output.string(value.language)
      output.string(value.script)
      output.int(value.argumentCount)
    } else {
      throw new SerializationError(`A result of type ${typeName(value)} cannot be sent to a client.`)
    }
  }

  /**
   * Writes the results of a batch, without the list around them: all of them, or with `progress` those from its row on that fit
   * into one chunk. The row of `progress` must not be a long one.
   */
  results(data: ResultData, progress?: WriteProgress): void {
    const { length, values } = data
    if (progress === undefined) {
      for (let i = 0; i < length; i++) this.#rows(data, i)
      return
    }
    const first = progress.row
    const start = this.output.position
    let end = start
    const isWritten = this.mode.tryRows(progress, () => {
      for (let i = first; i < length && !endsBefore(first, i, end - start, values[i]); progress.row = ++i) {
        this.#rows(data, i)
        end = this.output.position
      }
    })
    if (!isWritten) this.output.position = end
  }

  /** Writes one result of a batch as often as it occurred. */
  #rows(data: ResultData, row: number): void {
    const { asTraversers, bulks } = data
    for (let n = bulks === null || asTraversers ? 1 : bulks[row]!; n > 0; n--) this.row(data, row)
  }

  /** Writes one result of a batch. */
  row({ values, bulks, asTraversers }: ResultData, row: number): void {
    if (asTraversers) writeTraverser(this, values[row], bulks === null ? 1 : bulks[row]!)
    else this.value(values[row])
  }
}
