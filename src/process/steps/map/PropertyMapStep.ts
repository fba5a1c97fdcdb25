import { GremlinMap } from "../../../structure/collections/Collections.ts"
import {
  Edge,
  type Element,
  isElement,
  type Property,
  type Ref,
  Vertex,
  VertexProperty
} from "../../../structure/elements/Element.ts"
import { currentProperties } from "../../../structure/graph/CurrentProperties.ts"
import { type Reads, Values } from "../../../structure/graph/GraphReads.ts"
import type { GraphTransaction } from "../../../structure/graph/GraphStore.ts"
import { Direction, T } from "../../../structure/scalars/Enums.ts"
import { integerArgument, stringArguments } from "../../language/Arguments.ts"
import { elementExpected } from "../../machine/Expansions.ts"
import { endReads } from "../../machine/Reads.ts"
import type { Activation } from "../../plan/Activation.ts"
import { Batch, VALUE, VERTEX } from "../../plan/Batch.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import { planOf } from "../../plan/Plan.ts"
import { type PlanBuilder, Step, type Traversal } from "../../plan/Step.ts"
import { mapping } from "../../plan/StepTraits.ts"
import { readsOf } from "../shared/By.ts"
import { ModulatedStep } from "../shared/ModulatedStep.ts"
import { PropertyValues } from "../shared/PropertyValues.ts"

/** The key and the option bits of with(WithOptions.tokens, ...), as drivers send them. */
const TOKENS = "~tinkerpop.valueMap.tokens"
const IDS = 1
const LABELS = 2
const KEYS = 4
const VALUES = 8
const ALL = IDS | LABELS | KEYS | VALUES

const traits = mapping({ limits: "pass", labels: "none", children: "asked" })

/**
 * valueMap() and propertyMap(): the properties of an element by key. The values of a vertex's properties are always
 * lists.
 */
export class PropertyMapStep extends ModulatedStep {
  readonly operator: "valueMap" | "propertyMap"
  readonly name = "PropertyMapStep"
  readonly traits = traits
  protected override readonly mostModulators = 1
  readonly keys: readonly string[] | null
  #tokens: number

  constructor(operator: "valueMap" | "propertyMap", keys: readonly string[] | null, tokens: number) {
    super()
    this.operator = operator
    this.keys = keys
    this.#tokens = tokens
  }

  override modulate(operator: string, args: readonly unknown[], compiler: PlanBuilder): void {
    if (operator === "with" && args[0] === TOKENS) {
      const tokens = withTokens(this.#tokens, args.length === 1 ? true : args[1])
      // propertyMap() has no tokens.
      if (this.operator === "valueMap") this.#tokens = tokens
    } else super.modulate(operator, args, compiler)
  }
  override reads(batch: Batch): readonly Reads[] {
    return readsOf(batch, this.keys)
  }
  override localChildren(): ReadonlyArray<Traversal> {
    return [...super.localChildren(), ...(this.#source === null ? [] : [this.#source])]
  }

  /** Reads the properties by a traversal over the element instead of from the element (SubgraphStrategy). */
  through(source: Traversal): void {
    this.#source = source
  }
  #source: Traversal | null = null

  override run(batch: Batch, activation: Activation): undefined {
    const values = PropertyValues.of(batch, activation.transaction)
    if (values !== undefined && this.#source === null && this.operator === "valueMap") {
      this.#finish(this.#valueMaps(values, batch, activation), batch, activation)
      return
    }
    const elements = Array.from({ length: batch.length }, (_, row) => {
      const element = batch.value(row, activation.transaction)
      if (!isElement(element)) throw elementExpected(element, this.operator)
      return element
    })
    if (this.#source === null) {
      this.#finish(
        elements.map((element) => this.#map(element, currentProperties(element, this.keys))),
        batch,
        activation
      )
      return
    }
    const found = elements.map((): Array<Property | VertexProperty> => [])
    activation.invokeAll(
      planOf(this.#source),
      batch,
      (properties) => {
        for (let i = 0; i < properties.length; i++) found[properties.originOf(i)]!.push(properties.data[i] as Property)
      },
      () =>
        this.#finish(
          elements.map((element, row) => this.#map(element, found[row]!)),
          batch,
          activation
        )
    )
  }

  #finish(maps: ReadonlyArray<GremlinMap>, batch: Batch, activation: Activation): void {
    if (this.modulators.length === 0) activation.emitData(this, batch, null, VALUE, maps, maps.length)
    else this.#modulate(maps, batch, activation)
  }

  #valueMaps(values: PropertyValues, batch: Batch, { transaction }: Activation): Array<GremlinMap> {
    const maps = new Array<GremlinMap>(batch.length)
    for (let row = 0; row < maps.length; row++) {
      const ref = batch.data[row] as number
      const map = tokensOfRef(batch, ref, this.#tokens, transaction)
      for (const key of values.keys(ref, this.keys)) {
        const found = values.value(ref, key)
        if (found === undefined) continue
        if (batch.kind === VERTEX) map.set(key, found instanceof Values ? [...found.values] : [found])
        else map.set(key, found)
      }
      maps[row] = map
    }
    return maps
  }

  #map(element: Element, properties: ReadonlyArray<Property | VertexProperty>): GremlinMap {
    const map = tokensOf(element, this.#tokens)
    for (const property of properties) {
      const value = this.operator === "valueMap" ? property.value : property
      if (element instanceof Vertex) {
        const list = map.get(property.key) as Array<unknown> | undefined
        if (list === undefined) map.set(property.key, [value])
        else list.push(value)
      } else map.set(property.key, value)
    }
    return map
  }

  /** Applies by() to the values of the maps, tokens included. Keys without a result are omitted. */
  #modulate(maps: ReadonlyArray<GremlinMap>, batch: Batch, activation: Activation): void {
    const rows: Array<number> = []
    const keys: Array<unknown> = []
    const values: Array<unknown> = []
    maps.forEach((map, row) => {
      for (const [key, value] of map) {
        rows.push(row)
        keys.push(key)
        values.push(value)
      }
    })
    this.by(0).evaluateObjects(new Batch(VALUE, values, values.length), activation, (column) => {
      rows.forEach((row, i) => {
        if (column.found !== null && column.found[i] === 0) maps[row]!.delete(keys[i])
        else maps[row]!.set(keys[i], column.values[i])
      })
      activation.emitData(this, batch, null, VALUE, maps, maps.length)
    })
  }

  override describe(): string {
    const kind = this.operator === "valueMap" ? "value" : "property"
    return this.keys === null ? kind : `[${this.keys.join(", ")}],${kind}`
  }
}

/** The tokens after a with(): a Boolean stands for all or none, and a number adds its tokens to those before. */
const withTokens = (before: number, option: unknown): number => {
  if (typeof option === "boolean") return option ? ALL : 0
  return before | integerArgument("with", option, "WithOptions.tokens value")
}

const tokensOf = (element: Element, tokens: number): GremlinMap => {
  const map = new GremlinMap()
  if (tokens & IDS) map.set(T.id, element.id)
  if (element instanceof VertexProperty) {
    if (tokens & KEYS) map.set(T.key, element.key)
    if (tokens & VALUES) map.set(T.value, element.value)
  } else if (tokens & LABELS) map.set(T.label, element.label)
  return map
}

const tokensOfRef = (batch: Batch, ref: Ref, tokens: number, transaction: GraphTransaction): GremlinMap => {
  const map = new GremlinMap()
  const isVertex = batch.kind === VERTEX
  if (tokens & IDS) map.set(T.id, isVertex ? transaction.vertexId(ref) : transaction.edgeId(ref))
  if (tokens & LABELS) map.set(T.label, isVertex ? transaction.vertexLabel(ref) : transaction.edgeLabel(ref))
  return map
}

const elementMap = mapping({ limits: "pass", labels: "none", children: "none" })

/** elementMap(): id, label, the ends of an edge, and one value for each key. */
class ElementMapStep extends Step {
  readonly operator = "elementMap"
  readonly name = "ElementMapStep"
  readonly traits = elementMap
  readonly keys: readonly string[] | null
  constructor(keys: readonly string[] | null) {
    super()
    this.keys = keys
  }
  override reads(batch: Batch, { transaction }: Activation): readonly Reads[] {
    const reads = readsOf(batch, this.keys)
    const ends = reads.flatMap((read) => (read.kind === "edge" ? [endReads(read.refs, read.length, transaction)] : []))
    return [...reads, ...ends]
  }
  override run(batch: Batch, activation: Activation): undefined {
    const { transaction } = activation
    const values = PropertyValues.of(batch, transaction)
    const maps = new Array<GremlinMap>(batch.length)
    for (let row = 0; row < maps.length; row++) {
      maps[row] =
        values === undefined
          ? this.#mapOf(batch.value(row, transaction))
          : this.#mapOfRef(values, batch, batch.data[row] as number, transaction)
    }
    activation.emitData(this, batch, null, VALUE, maps, maps.length)
  }

  #mapOf(element: unknown): GremlinMap {
    if (!isElement(element)) throw elementExpected(element, "elementMap")
    const map = tokensOf(element, ALL)
    if (element instanceof Edge) addEnds(map, element.inVertex, element.outVertex)
    for (const property of currentProperties(element, this.keys) as ReadonlyArray<Property | VertexProperty>) {
      map.set(property.key, property.value)
    }
    return map
  }

  /** If a key has several values, the map holds the last one. */
  #mapOfRef(values: PropertyValues, batch: Batch, ref: Ref, transaction: GraphTransaction): GremlinMap {
    const map = tokensOfRef(batch, ref, ALL, transaction)
    if (batch.kind !== VERTEX) addEnds(map, transaction.edgeInVertex(ref), transaction.edgeOutVertex(ref))
    for (const key of values.keys(ref, this.keys)) {
      const value = values.value(ref, key)
      if (value !== undefined) map.set(key, value instanceof Values ? value.values.at(-1) : value)
    }
    return map
  }

  override describe(): string {
    return this.keys === null ? "" : `[${this.keys.join(", ")}]`
  }
}

const addEnds = (map: GremlinMap, into: Vertex, out: Vertex): void => {
  map.set(Direction.IN, end(into))
  map.set(Direction.OUT, end(out))
}

const end = (vertex: Vertex): GremlinMap =>
  new GremlinMap([
    [T.id, vertex.id],
    [T.label, vertex.label]
  ])

const keysOf = (operator: string, args: readonly unknown[]): readonly string[] | null => {
  const keys = stringArguments(
    operator,
    args.filter((arg) => arg !== null),
    "property key"
  )
  return args.length === 0 ? null : keys
}

/** The operators valueMap(), propertyMap() and elementMap(). */
export const propertyMapSteps: Operators = {
  // valueMap(true) of older drivers requests the tokens.
  valueMap: stepOperator(noParameters, (args) =>
    typeof args[0] === "boolean"
      ? new PropertyMapStep("valueMap", keysOf("valueMap", args.slice(1)), args[0] ? ALL : 0)
      : new PropertyMapStep("valueMap", keysOf("valueMap", args), 0)
  ),
  propertyMap: stepOperator(noParameters, (args) => new PropertyMapStep("propertyMap", keysOf("propertyMap", args), 0)),
  elementMap: stepOperator(noParameters, (args) => new ElementMapStep(keysOf("elementMap", args)))
}
