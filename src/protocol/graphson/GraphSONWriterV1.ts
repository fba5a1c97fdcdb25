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
import { text } from "../../structure/texts/Text.ts"
import { relationParts } from "../JanusGraphTypes.ts"
import { quoted } from "../json/JsonText.ts"
import type { WriteOptions } from "../Messages.ts"
import { doubleJson, GraphSONWriter, keyName } from "./GraphSONWriter.ts"
import { geoshapeJsonV1, relationIdJsonV1 } from "./JanusGraphWriter.ts"
import { isFirst, isLast, propertiesJson } from "./VertexProperties.ts"

/** Java class names by the type names of later versions, unless the class name follows from the type name. */
const classes: ReadonlyMap<string, string> = new Map([
  ["g:Float", "java.lang.Float"],
  ["gx:Byte", "java.lang.Byte"],
  ["gx:Int16", "java.lang.Short"],
  ["gx:Char", "java.lang.Character"],
  ["gx:BigInteger", "java.math.BigInteger"],
  ["gx:BigDecimal", "java.math.BigDecimal"],
  ["g:UUID", "java.util.UUID"],
  ["g:Date", "java.util.Date"],
  ["g:Timestamp", "java.sql.Timestamp"],
  ["g:Class", "java.lang.Class"],
  ["gx:ByteBuffer", "java.nio.HeapByteBuffer"],
  ["gx:InetAddress", "java.net.InetAddress"],
  ["g:Cardinality", "org.apache.tinkerpop.gremlin.structure.VertexProperty$Cardinality"],
  ["g:Barrier", "org.apache.tinkerpop.gremlin.process.traversal.SackFunctions$Barrier"],
  ...["T", "Direction", "Column"].map(structureClass)
])

function structureClass(name: string): [string, string] {
  return [`g:${name}`, `org.apache.tinkerpop.gremlin.structure.${name}`]
}

const hashMap = '"@class":"java.util.HashMap"'

/**
 * GraphSON 1. With types, objects have a member "@class", and other values are arrays of class name and value, except strings,
 * booleans, Int and Double, which JSON distinguishes. Predicates and traversals, which have no form, are sent as text.
 */
export class GraphSONWriterV1 extends GraphSONWriter {
  readonly #typed: boolean
  readonly #janusGraph: boolean
  readonly listOpen: string
  readonly listClose: string
  readonly responseTail: string

  /** @param typed whether values have types. JanusGraph's types are for ids of edges and properties, and for shapes */
  constructor(typed: boolean, options: WriteOptions) {
    super(options)
    this.#typed = typed
    this.#janusGraph = typed && options.janusGraph === true
    this.listOpen = typed ? '["java.util.ArrayList",[' : "["
    this.listClose = typed ? "]]" : "]"
    this.responseTail = `,"meta":${this.#object("")}}}`
  }

  /** A JSON object with these members. */
  #object(members: string, typed = hashMap): string {
    if (!this.#typed) return `{${members}}`
    return members === "" ? `{${typed}}` : `{${typed},${members}}`
  }

  protected scalar(type: string, json: string): string {
    if (!this.#typed) return json
    const known = classes.get(type)
    if (known !== undefined) return `["${known}",${json}]`
    const name = type.slice(type.indexOf(":") + 1)
    return type.startsWith("gx:")
      ? `{"@class":"java.time.${name}","value":${json}}`
      : `["org.apache.tinkerpop.gremlin.process.traversal.${name}",${json}]`
  }
  protected int(value: number): string {
    return String(value)
  }
  protected long(value: bigint): string {
    return this.#typed ? `["java.lang.Long",${value}]` : String(value)
  }
  protected double(value: number): string {
    const json = doubleJson(value)
    return this.#typed && !Number.isFinite(value) ? `["java.lang.Double",${json}]` : json
  }

  protected list(values: readonly unknown[]): string {
    return this.listOpen + this.items(values, values.length) + this.listClose
  }
  protected set(values: GremlinSet): string {
    const items = this.items(values, values.size)
    return this.#typed ? `["java.util.LinkedHashSet",[${items}]]` : `[${items}]`
  }
  protected bulkSet(values: BulkSet): string {
    const items = this.items(values, values.size)
    return this.#typed
      ? `["org.apache.tinkerpop.gremlin.process.traversal.step.util.BulkSet",[${items}]]`
      : `[${items}]`
  }
  protected map(map: GremlinMap): string {
    const members = this.entries(map, map.size, ([key, value]) => `${quoted(keyName(key))}:${this.value(value)}`)
    return this.#object(members, '"@class":"java.util.LinkedHashMap"')
  }

  protected override geoshape(value: Geoshape): string {
    const isKnown = this.#janusGraph && hasGeometry(value.shape)
    return isKnown ? geoshapeJsonV1((make) => this.madeMap(make), value) : super.geoshape(value)
  }

  #elementId(id: unknown): string {
    if (!this.#janusGraph || relationParts(id) === undefined) return this.value(id)
    return relationIdJsonV1(this.value(id))
  }

  #valuesByName(map: ReadonlyMap<string, unknown>): string {
    return this.#object(Array.from(map, ([name, value]) => `${quoted(name)}:${this.value(value)}`).join(","))
  }

  protected vertex(vertex: Vertex): string {
    const head = `"id":${this.value(vertex.id)},"label":${quoted(vertex.label)},"type":"vertex"`
    const properties = this.properties ? propertiesJson(this.mode, vertex, this.#all, this.#one) : ""
    return this.#object(`${head},"properties":${this.#object(properties)}`)
  }

  readonly #all = (properties: readonly VertexProperty[]): string => {
    let json = ""
    for (let i = 0; i < properties.length; i++) {
      json += (i === 0 ? "" : ",") + this.#one(properties, i)
      this.mode.checkLength(json.length)
    }
    return json
  }

  readonly #one = (properties: readonly VertexProperty[], at: number): string => {
    const property = properties[at]!
    const open = isFirst(properties, at) ? `${quoted(property.key)}:${this.listOpen}` : ""
    const json = this.#object(this.#vertexPropertyMembers(property, ""))
    return open + json + (isLast(properties, at) ? this.listClose : "")
  }

  #vertexPropertyMembers(property: VertexProperty, label: string): string {
    const members = `"id":${this.#elementId(property.id)},"value":${this.value(property.value)}${label}`
    const { meta } = property
    if (meta === null || meta.size === 0 || !this.properties) return members
    return `${members},"properties":${this.#object(this.made(() => [...meta], this.#metaProperty))}`
  }

  readonly #metaProperty = ([key, value]: readonly [string, unknown]): string => `${quoted(key)}:${this.value(value)}`

  protected vertexProperty(property: VertexProperty): string {
    return this.#object(this.#vertexPropertyMembers(property, `,"label":${quoted(property.key)}`))
  }

  protected edge(edge: Edge): string {
    const { outVertex, inVertex } = edge
    let members = `"id":${this.#elementId(edge.id)},"label":${quoted(edge.label)},"type":"edge"`
    members += `,"inVLabel":${quoted(inVertex.label)},"outVLabel":${quoted(outVertex.label)}`
    members += `,"inV":${this.value(inVertex.id)},"outV":${this.value(outVertex.id)}`
    if (this.properties) {
      const write = (property: Property): string => `${quoted(property.key)}:${this.value(property.value)}`
      const properties = this.made(() => edge.properties(), write)
      if (properties !== "") members += `,"properties":${this.#object(properties)}`
    }
    return this.#object(members)
  }

  protected property(property: Property): string {
    return this.#object(`"key":${quoted(property.key)},"value":${this.value(property.value)}`)
  }

  protected path(path: Path): string {
    const sets = this.entries(path.labels, path.labels.length, (labels) => {
      const names = Array.from(labels, quoted).join(",")
      return this.#typed ? `["java.util.LinkedHashSet",[${names}]]` : `[${names}]`
    })
    const labels = this.listOpen + sets + this.listClose
    return this.#object(`"labels":${labels},"objects":${this.list(path.objects)}`)
  }

  protected tree(tree: Tree): string {
    const { children } = tree
    const members = this.entries(children, children.size, ([key, child]) => {
      const entry = this.#object(`"key":${this.value(key)},"value":${this.value(child)}`)
      return `${quoted(keyName(key))}:${entry}`
    })
    return this.#object(members)
  }

  protected graph(graph: SubGraph): string {
    return this.#object(
      `"vertices":${this.list(graph.vertices)},"edges":${this.list(graph.edges)}`,
      '"@class":"org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph"'
    )
  }

  protected traverser(value: unknown, bulk: number): string {
    return this.#object(`"bulk":${this.long(BigInt(bulk))},"value":${this.value(value)}`)
  }

  protected metrics(metrics: Metrics): string {
    let members = `"dur":${doubleJson(Number(metrics.duration) / 1_000_000)},"counts":${this.#valuesByName(metrics.counts)}`
    members += `,"name":${quoted(metrics.name)}`
    if (metrics.annotations.size > 0) members += `,"annotations":${this.#valuesByName(metrics.annotations)}`
    members += `,"id":${quoted(metrics.id)}`
    if (metrics.nested.length > 0) members += `,"metrics":${this.list(metrics.nested)}`
    return this.#object(members)
  }

  protected traversalMetrics(metrics: TraversalMetrics): string {
    const duration = doubleJson(Number(metrics.duration) / 1_000_000)
    return this.#object(`"dur":${duration},"metrics":${this.list(metrics.metrics)}`)
  }

  protected explanation(explanation: TraversalExplanation): string {
    const intermediate = explanation.intermediate.map(({ strategy, category, steps }) =>
      this.#object(`"strategy":${quoted(strategy)},"category":${quoted(category)},"traversal":${this.list(steps)}`)
    )
    const list = this.listOpen + intermediate.join(",") + this.listClose
    return this.#object(
      `"original":${this.list(explanation.original)},"intermediate":${list},"final":${this.list(explanation.final)}`
    )
  }

  protected bytecode(bytecode: Bytecode): string {
    return quoted(text(bytecode))
  }
  protected predicate(predicate: Predicate): string {
    return quoted(text(predicate))
  }
  protected strategy(strategy: StrategySpec): string {
    return quoted(strategy.name)
  }
  protected binding(binding: Binding): string {
    return quoted(`binding[${binding.key}=${text(binding.value)}]`)
  }
  protected lambda(lambda: Lambda): string {
    return quoted(`lambda[${lambda.script}]`)
  }

  responseHead(
    requestId: string | null,
    code: number,
    message: string,
    attributes: ReadonlyMap<string, unknown> | null
  ): string {
    const id = requestId === null ? "null" : `"${requestId}"`
    const values = attributes === null ? this.#object("") : this.#valuesByName(attributes)
    const status = this.#object(`"message":${quoted(message)},"code":${code},"attributes":${values}`)
    const open = this.#typed ? `{${hashMap},` : "{"
    return `${open}"requestId":${id},"status":${status},"result":${open}"data":`
  }
}
