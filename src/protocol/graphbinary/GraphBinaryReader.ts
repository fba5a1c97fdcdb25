import { GremlinMap } from "../../structure/collections/Collections.ts"
import { Detached } from "../../structure/elements/Element.ts"
import { double } from "../../structure/numbers/Numbers.ts"
import type { ResumableRead } from "../ResumableRead.ts"
import { ByteReader } from "./ByteReader.ts"
import { readBulkSet, readSet, readTree } from "./CollectionReaders.ts"
import { readCustom } from "./CustomReaders.ts"
import { DataType } from "./DataType.ts"
import { readEdge, readPath, readProperty, readVertex, readVertexProperty } from "./ElementReaders.ts"
import { readGraph } from "./GraphReader.ts"
import { readBinding, readBytecode, readLambda, readPredicate, readStrategy, readTraverser } from "./LanguageReaders.ts"
import { readMetrics, readTraversalMetrics } from "./MetricsReaders.ts"
import { readScalar, unknownType } from "./ScalarReaders.ts"
import { readItems, STRUCTURE_BYTES, type ValueReader } from "./ValueReader.ts"

/** Estimated memory of one more value, in bytes. */
const VALUE_BYTES = 32

/** The last type code of the first range, and the range of codes that later versions added. */
const LAST_CODE = 0x30
const FIRST_LATER_CODE = 0x80
const LAST_LATER_CODE = 0x8e

/** Reads values of GraphBinary 1.0. Elements that are read are detached from any graph. */
export class GraphBinaryReader implements ValueReader {
  readonly input: ByteReader
  #elements: Detached | undefined = undefined

  /**
   * @param position offset of the first value
   * @param maximumDepth levels that values may nest: the server's maxNestingDepth
   * @param long the read in slices that the message belongs to
   */
  constructor(bytes: Buffer, position: number, maximumDepth?: number, long?: ResumableRead) {
    this.input = new ByteReader(bytes, position, maximumDepth, long)
    long?.weigh(this.input)
  }

  get elements(): Detached {
    this.#elements ??= new Detached()
    return this.#elements
  }

  value(): unknown {
    const { input } = this
    const code = input.unsignedByte()
    input.heldBytes += VALUE_BYTES
    // The flag of a custom value is after its name.
    if (code !== DataType.Custom && (input.unsignedByte() & 1) === 1) return this.#nullOf(code)
    switch (code) {
      case DataType.String:
        return input.string()
      case DataType.Int:
        return input.int()
      case DataType.Long:
        return input.long()
      case DataType.Boolean:
        return input.unsignedByte() !== 0
      case DataType.Double:
        return double(input.double())
    }
    input.enter()
    input.heldBytes += STRUCTURE_BYTES
    const value = this.#structure(code)
    input.leave()
    return value
  }

  /** A null may have any type that exists. */
  #nullOf(code: number): null {
    const exists = code <= LAST_CODE || (code >= FIRST_LATER_CODE && code <= LAST_LATER_CODE)
    return code === DataType.UnspecifiedNull || exists ? null : unknownType(this, code)
  }

  #structure(code: number): unknown {
    switch (code) {
      case DataType.Custom:
        return readCustom(this)
      case DataType.P:
      case DataType.TextP:
        return readPredicate(this)
      case DataType.Bytecode:
        return readBytecode(this)
      case DataType.List:
        return this.list()
      case DataType.Map:
        return this.map()
      case DataType.Set:
        return readSet(this)
      case DataType.Vertex:
        return readVertex(this)
      case DataType.Edge:
        return readEdge(this)
      case DataType.VertexProperty:
        return readVertexProperty(this)
      case DataType.Property:
        return readProperty(this)
      case DataType.Path:
        return readPath(this)
      case DataType.Traverser:
        return readTraverser(this)
      case DataType.TraversalStrategy:
        return readStrategy(this)
      case DataType.Binding:
        return readBinding(this)
      case DataType.Lambda:
        return readLambda(this)
      case DataType.BulkSet:
        return readBulkSet(this)
      case DataType.Tree:
        return readTree(this)
      case DataType.Graph:
        return readGraph(this)
      case DataType.Metrics:
        return readMetrics(this)
      case DataType.TraversalMetrics:
        return readTraversalMetrics(this)
      default:
        return readScalar(this, code)
    }
  }

  list(): Array<unknown> {
    return readItems(this, this.input.length(2, "a list"), [], addItem)
  }

  map(): GremlinMap {
    return readItems(this, this.input.length(4, "a map"), new GremlinMap(), setEntry)
  }
}

const addItem = (reader: ValueReader, values: Array<unknown>): void => {
  values.push(reader.value())
}

const setEntry = (reader: ValueReader, map: GremlinMap): void => {
  const key = reader.value()
  map.set(key, reader.value())
}
