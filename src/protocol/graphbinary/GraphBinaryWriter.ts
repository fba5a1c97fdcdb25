import {
  Binding,
  Bytecode,
  type Instruction,
  Lambda,
  StrategySpec,
  Traverser
} from "../../process/language/Bytecode.ts"
import { isPredicate, type Predicate, TextP } from "../../process/language/Predicate.ts"
import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../../structure/Collections.ts"
import { Edge, Property, Vertex, VertexProperty } from "../../structure/Element.ts"
import { EnumValue } from "../../structure/Enums.ts"
import { Metrics, TraversalExplanation, TraversalMetrics } from "../../structure/Metrics.ts"
import { Double, isInt } from "../../structure/Numbers.ts"
import { Path } from "../../structure/Path.ts"
import { SubGraph } from "../../structure/SubGraph.ts"
import { Tree } from "../../structure/Tree.ts"
import { typeName } from "../../structure/TypeNames.ts"
import { LONG_PART } from "../LongParts.ts"
import { endsBefore, type WriteProgress } from "../LongWrites.ts"
import type { ResultData } from "../Messages.ts"
import { argumentsOf, operatorOf } from "../Predicates.ts"
import { SerializationError } from "../ProtocolError.ts"
import { strategyClass } from "../Strategies.ts"
import { DataType } from "./DataType.ts"
import { ElementWriter } from "./ElementWriter.ts"

/** Writes values of GraphBinary 1.0. */
export class GraphBinaryWriter extends ElementWriter {
  /** A value with its type code. Fails with SerializationError for what is no value of Gremlin. */
  value(value: unknown): void {
    switch (typeof value) {
      case "string":
        this.type(DataType.String)
        if (value.length > LONG_PART) this.longString(value)
        else this.string(value)
        return
      case "number":
        if (isInt(value)) this.typedInt(value)
        else this.typedDouble(value)
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

  #object(value: object): void {
    if (value instanceof Vertex) this.vertex(value)
    else if (value instanceof GremlinMap) this.typedMap(value)
    else if (Array.isArray(value)) this.list(value)
    else if (value instanceof Double) this.typedDouble(value.value)
    else if (value instanceof Edge) this.edge(value)
    else if (value instanceof Traverser) this.traverser(value.value, value.bulk)
    else if (value instanceof VertexProperty) this.vertexProperty(value)
    else if (value instanceof Property) this.property(value.key, value.value)
    else if (value instanceof Path) this.path(value)
    else if (value instanceof GremlinSet) this.collection(DataType.Set, value.size, value)
    else if (value instanceof BulkSet) this.bulkSet(value)
    else if (value instanceof MapEntry) this.typedMap(new GremlinMap([[value.key, value.value]]))
    else if (value instanceof EnumValue) this.enumConstant(value)
    else if (!this.writesNumber(value) && !this.writesScalar(value)) this.#structure(value)
  }

  #structure(value: object): void {
    if (value instanceof Tree) {
      this.type(DataType.Tree)
      this.tree(value)
    } else if (value instanceof SubGraph) this.graph(value)
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
      throw new SerializationError(`A result of type ${typeName(value)} cannot be sent to a client.`)
    }
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
    const { length, values } = data
    if (progress === undefined) {
      for (let i = 0; i < length; i++) this.#rows(data, i)
      return
    }
    const first = progress.row
    const start = this.position
    let end = start
    const isWritten = this.mode.tryRows(progress, () => {
      for (let i = first; i < length && !endsBefore(first, i, end - start, values[i]); progress.row = ++i) {
        this.#rows(data, i)
        end = this.position
      }
    })
    if (!isWritten) this.position = end
  }

  /** One result of a batch, as often as it occurred. */
  #rows(data: ResultData, row: number): void {
    const { asTraversers, bulks } = data
    for (let n = bulks === null || asTraversers ? 1 : bulks[row]!; n > 0; n--) this.row(data, row)
  }

  /** One result of a batch. */
  row({ values, bulks, asTraversers }: ResultData, row: number): void {
    if (asTraversers) this.traverser(values[row], bulks === null ? 1 : bulks[row]!)
    else this.value(values[row])
  }
}
