import type { Binding, Bytecode, Lambda, StrategySpec } from "../../process/language/Bytecode.ts"
import type { Predicate } from "../../process/language/Predicate.ts"
import type { BulkSet, GremlinMap, GremlinSet } from "../../structure/collections/Collections.ts"
import type { Tree } from "../../structure/collections/Tree.ts"
import type { Edge, Property, Vertex, VertexProperty } from "../../structure/elements/Element.ts"
import type { Path } from "../../structure/elements/Path.ts"
import type { SubGraph } from "../../structure/elements/SubGraph.ts"
import { hasGeometry } from "../../structure/geoshapes/Geometries.ts"
import type { Geoshape } from "../../structure/geoshapes/Geoshape.ts"
import type { Metrics, TraversalExplanation, TraversalMetrics } from "../../structure/profiles/Metrics.ts"
import { relationParts } from "../JanusGraphTypes.ts"
import { fragments, quoted } from "../json/JsonText.ts"
import type { WriteOptions } from "../Messages.ts"
import { doubleJson, GraphSONWriter, keyName } from "./GraphSONWriter.ts"
import { geoshapeJson, relationIdJson } from "./JanusGraphWriter.ts"
import { type KeyFragments, keyFragments } from "./KeyFragments.ts"
import {
  bindingJson,
  bytecodeJson,
  type LanguageForms,
  lambdaJson,
  predicateJson,
  strategyJson
} from "./LanguageWriter.ts"
import { explanationJson, type MetricsForms, metricsJson, traversalMetricsJson } from "./MetricsWriter.ts"
import { graphJson, pathJson, type StructureForms, treeJson } from "./StructureWriter.ts"
import { isFirst, isLast, propertiesJson } from "./VertexProperties.ts"

/**
 * Writes GraphSON 2 and 3. Version 3 also has types for lists, sets and maps, so a key of a map can have any type. The untyped
 * form of version 3 equals that of version 2: Gremlin Server does the same, although its documentation says otherwise.
 */
export class TypedGraphSONWriter extends GraphSONWriter implements LanguageForms, MetricsForms, StructureForms {
  readonly #typed: boolean
  readonly #janusGraph: boolean
  /** Whether lists, sets, maps and bulk sets have a type. */
  readonly #collections: boolean
  readonly #close: string
  readonly #int: string
  readonly #long: string
  readonly #double: string
  readonly #vertex: string
  readonly #edge: string
  readonly #vertexProperty: string
  readonly #property: string
  readonly #traverser: string
  readonly #traverserOnce: string
  readonly listOpen: string
  readonly listClose: string
  readonly responseTail: string
  readonly #noAttributes: string
  /** The end of an object that may have a type. */
  readonly #end: string
  readonly #vertexEnd: string
  readonly #key: (key: string) => KeyFragments
  readonly #label: (label: string) => string
  readonly #labelAndProperties: (label: string) => string

  /**
   * @param typed whether values have types
   * @param collections whether lists, sets and maps also have types, as in version 3
   * @param options JanusGraph's types are for ids of edges and properties, shapes, and predicates over texts and shapes
   */
  constructor(typed: boolean, collections: boolean, options: WriteOptions) {
    super(options)
    this.#janusGraph = typed && options.janusGraph === true
    this.#typed = typed
    this.#collections = typed && collections
    const open = (type: string): string => (typed ? `{"@type":"${type}","@value":` : "")
    this.#close = typed ? "}" : ""
    this.#int = open("g:Int32")
    this.#long = open("g:Int64")
    this.#double = open("g:Double")
    this.#vertex = `${open("g:Vertex")}{"id":`
    this.#edge = `${open("g:Edge")}{"id":`
    this.#vertexProperty = `${open("g:VertexProperty")}{"id":`
    this.#property = `${open("g:Property")}{"key":`
    this.#traverser = `${open("g:Traverser")}{"bulk":`
    this.#traverserOnce = `${this.#traverser}${this.long(1n)},"value":`
    this.listOpen = this.#collections ? `${open("g:List")}[` : "["
    this.listClose = this.#collections ? "]}" : "]"
    this.#noAttributes = this.#collections ? `${open("g:Map")}[]}` : "{}"
    this.responseTail = `,"meta":${this.#noAttributes}}}`
    this.#end = `}${this.#close}`
    this.#vertexEnd = `}${this.#end}`
    this.#key = keyFragments(this.#vertexProperty, this.#end)
    this.#label = fragments((label) => `,"label":${quoted(label)}`)
    this.#labelAndProperties = fragments((label) => `,"label":${quoted(label)},"properties":{`)
  }

  scalar(type: string, json: string): string {
    return this.#typed ? `{"@type":"${type}","@value":${json}}` : json
  }
  protected int(value: number): string {
    return this.#int + value + this.#close
  }
  protected long(value: bigint): string {
    // Formatting a number takes half the time of formatting a bigint.
    const number = Number(value)
    return this.#long + (Number.isSafeInteger(number) ? number : value) + this.#close
  }
  double(value: number): string {
    return this.#double + doubleJson(value) + this.#close
  }

  list(values: readonly unknown[]): string {
    return this.listOpen + this.items(values, values.length) + this.listClose
  }
  protected set(values: GremlinSet): string {
    return this.setOf(this.items(values, values.size))
  }
  setOf(members: string): string {
    return this.#collections ? `{"@type":"g:Set","@value":[${members}]}` : `[${members}]`
  }
  protected bulkSet(values: BulkSet): string {
    if (!this.#collections) return `[${this.items(values, values.size)}]`
    const write = ([value, count]: [unknown, number]): string => `${this.value(value)},${this.long(BigInt(count))}`
    const long = this.mode.longOf(values)
    const json =
      long === null
        ? Array.from(values.entries(), write).join(",")
        : long.members(values.uniqueSize, values.entries(), write)
    return `{"@type":"g:BulkSet","@value":[${json}]}`
  }

  map(map: GremlinMap): string {
    const long = this.mode.longOf(map)
    if (long !== null) return this.#map(long.members(map.size, map, ([key, value]) => this.#entry(key, value)))
    let json = ""
    map.forEach((value, key) => {
      json += json === "" ? this.#entry(key, value) : `,${this.#entry(key, value)}`
      this.mode.checkLength(json.length)
    })
    return this.#map(json)
  }

  #map(entries: string): string {
    return this.#collections ? `{"@type":"g:Map","@value":[${entries}]}` : `{${entries}}`
  }

  #entry(key: unknown, value: unknown): string {
    return (this.#collections ? `${this.value(key)},` : `${quoted(keyName(key))}:`) + this.value(value)
  }

  /** A map of names to JSON. */
  namedJson(entries: ReadonlyArray<readonly [string, string]>): string {
    const colon = this.#collections ? "," : ":"
    return this.#map(entries.map(([key, json]) => quoted(key) + colon + json).join(","))
  }

  /** A map of names to values. */
  namedValues(map: ReadonlyMap<string, unknown>): string {
    if (!this.#collections) return this.object(map)
    let json = ""
    map.forEach((value, name) => {
      json += `${json === "" ? "" : ","}${quoted(name)},${this.value(value)}`
    })
    return this.#map(json)
  }

  protected vertex(vertex: Vertex): string {
    const head = this.#vertex + this.value(vertex.id)
    const properties = this.properties ? propertiesJson(this.mode, vertex, this.#all, this.#one) : ""
    if (properties === "") return head + this.#label(vertex.label) + this.#end
    return head + this.#labelAndProperties(vertex.label) + properties + this.#vertexEnd
  }

  readonly #all = (properties: readonly VertexProperty[]): string => {
    let json = ""
    let last: string | undefined
    for (let i = 0; i < properties.length; i++) {
      const property = properties[i]!
      const key = this.#key(property.key)
      if (last === undefined) json = key.first
      else json += property.key === last ? `,${this.#vertexProperty}` : key.next
      last = property.key
      json += this.#vertexPropertyFromId(property, key)
      this.mode.checkLength(json.length)
    }
    return json === "" ? "" : `${json}]`
  }

  readonly #one = (properties: readonly VertexProperty[], at: number): string => {
    const property = properties[at]!
    const key = this.#key(property.key)
    const open = isFirst(properties, at) ? key.first : this.#vertexProperty
    return open + this.#vertexPropertyFromId(property, key) + (isLast(properties, at) ? "]" : "")
  }

  protected vertexProperty(property: VertexProperty): string {
    return this.#vertexProperty + this.#vertexPropertyFromId(property, this.#key(property.key))
  }

  #vertexPropertyFromId(property: VertexProperty, key: KeyFragments): string {
    const json = `${this.#id(property.id)},"value":${this.value(property.value)}`
    const meta = property.meta
    if (meta === null || meta.size === 0 || !this.properties) return json + key.end
    return `${json}${key.label},"properties":{${this.made(() => [...meta], this.#metaProperty)}}${this.#end}`
  }

  /** The id of an edge or a property. */
  #id(id: unknown): string {
    if (!this.#janusGraph || relationParts(id) === undefined) return this.value(id)
    return relationIdJson(this.value(id))
  }

  protected override geoshape(value: Geoshape): string {
    const isKnown = this.#janusGraph && hasGeometry(value.shape)
    return isKnown ? geoshapeJson((make) => this.madeMap(make), value) : super.geoshape(value)
  }

  /** A JSON object. In version 3, {@link map} writes an array instead. */
  object(map: ReadonlyMap<string, unknown>): string {
    let json = ""
    map.forEach((value, key) => {
      json += `${json === "" ? "" : ","}${quoted(key)}:${this.value(value)}`
    })
    return `{${json}}`
  }

  readonly #metaProperty = ([key, value]: readonly [string, unknown]): string => `${quoted(key)}:${this.value(value)}`

  readonly #named = (property: Property): string => `${quoted(property.key)}:${this.property(property)}`

  protected edge(edge: Edge): string {
    const { outVertex, inVertex } = edge
    let json = this.#edge + this.#id(edge.id) + this.#label(edge.label)
    json += `,"inVLabel":${quoted(inVertex.label)},"outVLabel":${quoted(outVertex.label)}`
    json += `,"inV":${this.value(inVertex.id)},"outV":${this.value(outVertex.id)}`
    if (this.properties) {
      const properties = this.made(() => edge.properties(), this.#named)
      if (properties !== "") json += `,"properties":{${properties}}`
    }
    return json + this.#end
  }

  protected property(property: Property): string {
    return `${this.#property}${quoted(property.key)},"value":${this.value(property.value)}${this.#end}`
  }

  protected path(path: Path): string {
    return pathJson(this, path)
  }

  protected tree(tree: Tree): string {
    return treeJson(this, tree)
  }

  protected graph(graph: SubGraph): string {
    return graphJson(this, graph)
  }

  /** The JSON of several values, with commas between them. */
  all(values: readonly unknown[]): string {
    return this.items(values, values.length)
  }

  protected traverser(value: unknown, bulk: number): string {
    const head = bulk === 1 ? this.#traverserOnce : `${this.#traverser}${this.long(BigInt(bulk))},"value":`
    return head + this.value(value) + this.#end
  }

  protected metrics(metrics: Metrics): string {
    return metricsJson(this, metrics)
  }
  protected traversalMetrics(metrics: TraversalMetrics): string {
    return traversalMetricsJson(this, metrics)
  }
  protected explanation(explanation: TraversalExplanation): string {
    return explanationJson(this, explanation)
  }
  protected bytecode(bytecode: Bytecode): string {
    return bytecodeJson(this, bytecode)
  }
  protected predicate(predicate: Predicate): string {
    return predicateJson(this, predicate, this.#janusGraph)
  }
  protected strategy(strategy: StrategySpec): string {
    return strategyJson(this, strategy)
  }
  protected binding(binding: Binding): string {
    return bindingJson(this, binding)
  }
  protected lambda(lambda: Lambda): string {
    return lambdaJson(this, lambda)
  }

  responseHead(
    requestId: string | null,
    code: number,
    message: string,
    attributes: ReadonlyMap<string, unknown> | null
  ): string {
    const id = requestId === null ? "null" : `"${requestId}"`
    const status = attributes === null ? this.#noAttributes : this.namedValues(attributes)
    return `{"requestId":${id},"status":{"message":${quoted(message)},"code":${code},"attributes":${status}},"result":{"data":`
  }
}
