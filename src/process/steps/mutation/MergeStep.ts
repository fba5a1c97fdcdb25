import type { Task } from "../../../scheduling/Task.ts"
import { GremlinMap } from "../../../structure/collections/Collections.ts"
import { Edge, type Vertex } from "../../../structure/elements/Element.ts"
import { type EnumValue, Merge } from "../../../structure/scalars/Enums.ts"
import { cardinalityValue, isEnum, nameOf } from "../../language/Arguments.ts"
import { TraversalError, TraversalInvalid } from "../../language/Errors.ts"
import { resolve } from "../../language/Operand.ts"
import { answered, runTask } from "../../machine/StepTasks.ts"
import type { Activation, Needs } from "../../plan/Activation.ts"
import { Batch, carry, EDGE, slice, VALUE, VERTEX } from "../../plan/Batch.ts"
import { planOf } from "../../plan/Plan.ts"
import { type PlanBuilder, Step, type Traversal } from "../../plan/Step.ts"
import { creating, type StepTraits } from "../../plan/StepTraits.ts"
import { setProperty } from "../shared/PropertyWrites.ts"
import { type ArgumentColumn, argumentChildren, replaceArgument, StepArgument } from "../shared/StepArgument.ts"
import { searchTraversal } from "./ElementSearch.ts"
import { checkKeys, checkMergeMap, checkNoOverrides, mapOf, withCardinality } from "./MergeMaps.ts"
import { scoutMerge } from "./MergeScout.ts"

const merging: StepTraits = { ...creating, results: "many" }

/**
 * mergeV() and mergeE(): searches elements by a map of criteria. Elements that are found take the properties of
 * onMatch; otherwise one element is created from the criteria and onCreate. Rows run one by one, because the next row
 * may find what this one creates.
 */
export abstract class MergeStep extends Step {
  override readonly name: string
  readonly traits = merging
  protected abstract readonly element: "vertex" | "edge"
  /** The criteria; null = the traverser's object. */
  protected readonly criteria: StepArgument | null
  protected readonly options = new Map<EnumValue, StepArgument>()
  /** The default cardinality for the values in an option's map. */
  readonly #cardinalities = new Map<EnumValue, EnumValue>()
  /**
   * Properties that a strategy adds to the criteria and to every option; they override given values
   * (PartitionStrategy).
   */
  readonly partition: Array<readonly [string, unknown]> = []
  /** The keys and values of meta-properties that a strategy adds to each property of a vertex. */
  meta: ReadonlyArray<unknown> = []
  #search: Traversal | null = null

  constructor(name: string, args: readonly unknown[], compiler: PlanBuilder) {
    super()
    this.name = name
    this.criteria = args.length === 0 ? null : new StepArgument(args[0], this, compiler)
  }

  override modulate(operator: string, args: readonly unknown[], compiler: PlanBuilder): void {
    const [token, value, cardinality] = args
    if (operator !== "option" || !isEnum(token, "Merge") || !this.accepts(token)) {
      throw new TraversalInvalid(
        `${this.operator}() takes option(Merge.onCreate, ...) and option(Merge.onMatch, ...), but was given ${operator}(${nameOf(token)})`
      )
    }
    this.options.set(token, new StepArgument(value, this, compiler))
    if (cardinality === undefined) return
    if (this.element === "edge") {
      throw new TraversalInvalid("option() with the Cardinality argument can only be used following mergeV()")
    }
    if (!isEnum(cardinality, "Cardinality")) {
      throw new TraversalInvalid(
        `option() takes a Cardinality as its third argument, but was given ${nameOf(cardinality)}`
      )
    }
    this.#cardinalities.set(token, cardinality)
  }
  protected abstract accepts(token: EnumValue): boolean

  get #arguments(): Array<StepArgument> {
    return [...(this.criteria === null ? [] : [this.criteria]), ...this.options.values()]
  }
  protected searchFor(element: "vertex" | "edge"): Traversal {
    const traversal = searchTraversal(element)
    traversal.parent = this
    return traversal
  }
  /** Finds the elements that meet maps of criteria. */
  get search(): Traversal {
    this.#search ??= this.searchFor(this.element)
    return this.#search
  }
  override localChildren(): ReadonlyArray<Traversal> {
    return [...argumentChildren(this.#arguments), this.search]
  }
  override replaceChild(from: Traversal, to: Traversal): void {
    replaceArgument(this.#arguments, from, to)
  }
  override require(needs: Needs): void {
    needs.writes = true
    needs.sequential = true
  }

  /** The arguments whose traversals start at the incoming rows. */
  get argumentsOfRows(): ReadonlyArray<StepArgument> {
    const onMatch = this.argumentOf(Merge.onMatch)
    return this.#arguments.filter((argument) => argument !== onMatch)
  }
  argumentOf(option: EnumValue): StepArgument | undefined {
    return this.options.get(option)
  }
  /** The criteria of one row, with resolved ends, as used by the search. */
  *resolvedCriteria(row: Batch, activation: Activation): Task<GremlinMap> {
    return yield* this.resolve(yield* this.#criteriaOf(row, activation), row, activation)
  }
  /** Asks for the vertices that the options of a scout's rows name as ends. */
  *askEnds(_batch: Batch, _activation: Activation): Task {}
  override scout(batch: Batch, activation: Activation): boolean {
    return runTask(this, batch, activation, () => scoutMerge(this, batch, activation))
  }

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): boolean {
    return runTask(this, batch, activation, () => this.#mergeAll(batch, activation))
  }

  *#mergeAll(batch: Batch, activation: Activation): Task {
    for (let row = 0; row < batch.length; row++) {
      yield* this.#merge(batch.length === 1 ? batch : slice(batch, row, row + 1), activation)
      if (activation.slice.isOverAfter(row + 1)) yield
    }
  }

  /** Checks maps that are given as values, even if the row does not use them. */
  #checkGiven(criteria: GremlinMap, activation: Activation): void {
    const given = (token: EnumValue): GremlinMap | undefined => {
      const argument = this.options.get(token)
      const value =
        argument === undefined || argument.traversal !== null ? undefined : resolve(argument.value, activation.run)
      return value instanceof GremlinMap ? this.#withPartition(mapOf(value, this.operator)) : undefined
    }
    const onMatch = given(Merge.onMatch)
    if (onMatch !== undefined) checkKeys(onMatch)
    const onCreate = given(Merge.onCreate)
    if (onCreate === undefined) return
    checkMergeMap(onCreate, this.operator)
    if (this.criteria !== null && this.criteria.traversal === null) checkNoOverrides(criteria, onCreate)
  }

  /** Processes one row: criteria, search, then match or creation. */
  *#merge(row: Batch, activation: Activation): Task {
    const unresolved = yield* this.#criteriaOf(row, activation)
    this.#checkGiven(unresolved, activation)
    const criteria = yield* this.resolve(unresolved, row, activation)
    const found = yield* this.#found(criteria, row, activation)
    if (found.length > 0) {
      if (this.options.has(Merge.onMatch)) yield* this.#match(found, row, activation)
      else this.emitRefs(found, row, activation)
      return
    }
    const onCreate = yield* this.#option(Merge.onCreate, row, activation)
    if (onCreate !== undefined) {
      checkMergeMap(onCreate, this.operator)
      checkNoOverrides(unresolved, onCreate)
    }
    const all = onCreate === undefined ? criteria : new GremlinMap([...onCreate, ...criteria])
    const resolved = yield* this.resolve(all, row, activation)
    // For a store that answers later, this search also fetches the ends that only onCreate names.
    if (onCreate !== undefined && this.element === "edge" && activation.transaction.answersLater) {
      yield* this.#found(resolved, row, activation)
    }
    this.emitRefs([yield* this.create(resolved, activation)], row, activation)
  }

  /** Finds the elements that meet the criteria. */
  *#found(criteria: GremlinMap, row: Batch, activation: Activation): Task<ReadonlyArray<number>> {
    const found: Array<number> = []
    const maps = carry(row, null, new Batch(VALUE, [criteria], 1))
    yield* answered<undefined>((done) =>
      activation.invokeAll(
        planOf(this.search),
        maps,
        (batch) => {
          for (let i = 0; i < batch.length; i++) found.push(batch.data[i] as number)
        },
        () => done(undefined)
      )
    )
    return found
  }

  *#criteriaOf(row: Batch, activation: Activation): Task<GremlinMap> {
    const map = this.#withPartition(mapOf(yield* this.#givenCriteria(row, activation), this.operator))
    checkMergeMap(map, this.operator)
    return map
  }

  *#givenCriteria(row: Batch, activation: Activation): Task<unknown> {
    const { criteria } = this
    if (criteria === null) return this.#incoming(row, activation)
    const column = yield* answered<ArgumentColumn>((done) => criteria.evaluate(row, activation, done))
    const value = column(0)
    if (value === undefined) throw new TraversalError(`The traversal in ${this.operator}() returned no map of criteria`)
    return value
  }

  /** The object of the row. A traversal that begins with this step has none, and an empty map would match every element. */
  #incoming(row: Batch, { transaction }: Activation): unknown {
    const value = row.value(0, transaction)
    if (value !== undefined) return value
    throw new TraversalInvalid(`${this.operator}() needs a map at the start of a traversal: no traverser provides one`)
  }

  #withPartition(map: GremlinMap): GremlinMap {
    return this.partition.length === 0 ? map : new GremlinMap([...map, ...this.partition])
  }

  /** The map of an option for a row, with the partition; undefined if the option is missing or its map is empty. */
  *#option(token: EnumValue, row: Batch, activation: Activation): Task<GremlinMap | undefined> {
    const argument = this.options.get(token)
    if (argument === undefined) return undefined
    const column = yield* answered<ArgumentColumn>((done) => argument.evaluate(row, activation, done))
    const value = column(0)
    if (value === undefined) {
      throw new TraversalError(`The traversal in option(${token.name}) of ${this.operator}() returned no map`)
    }
    const given = mapOf(value, this.operator)
    const cardinality = this.#cardinalities.get(token)
    const map = this.#withPartition(cardinality === undefined ? given : withCardinality(given, cardinality))
    return map.size === 0 ? undefined : map
  }

  /**
   * Writes the properties of onMatch to the elements found; its traversal starts at each element. Each element is
   * emitted before the next one is changed: if a later step needs no more elements, the others stay unchanged.
   */
  *#match(found: ReadonlyArray<number>, row: Batch, activation: Activation): Task {
    for (const [place, ref] of found.entries()) {
      if (place > 0) {
        // Later steps process the emitted element at this yield.
        yield
        if (!activation.isWanted(this, row)) return
      }
      yield* this.#matchOne(ref, row, activation)
      this.emitRefs([ref], row, activation)
    }
  }

  *#matchOne(ref: number, row: Batch, activation: Activation): Task {
    const { transaction } = activation
    const refs = transaction.newRefs(1)
    refs[0] = ref
    const start = carry(row, null, new Batch(this.element === "vertex" ? VERTEX : EDGE, refs, 1))
    const map = yield* this.#option(Merge.onMatch, start, activation)
    if (map === undefined) return
    checkKeys(map)
    const element = this.element === "vertex" ? transaction.vertex(ref) : transaction.edge(ref)
    let written = 0
    for (const [key, value] of map) {
      this.#write(element, key, value, activation)
      if (activation.slice.isOverAfter(++written)) yield
    }
  }

  #write(element: Vertex | Edge, key: unknown, value: unknown, activation: Activation): void {
    const own = cardinalityValue(value)
    if (own !== undefined && element instanceof Edge) {
      throw new TraversalError("Property cardinality can only be set for a Vertex, not for an Edge")
    }
    const plain = own === undefined ? value : own.value
    setProperty(element, own?.cardinality ?? null, key, plain, this.meta, activation.transaction, false)
  }

  /** Writes the properties of a map: all entries except id, label and ends. */
  protected *writeAll(element: Vertex | Edge, map: GremlinMap, activation: Activation): Task {
    let written = 0
    for (const [key, value] of map) {
      if (typeof key === "string") this.#write(element, key, value, activation)
      if (activation.slice.isOverAfter(++written)) yield
    }
  }

  protected emitRefs(found: ReadonlyArray<number>, row: Batch, activation: Activation): void {
    const refs = activation.transaction.newRefs(found.length)
    refs.set(found)
    const rows = new Int32Array(found.length)
    activation.emitData(this, row, rows, this.element === "vertex" ? VERTEX : EDGE, refs, found.length)
  }

  /** Replaces Merge.outV, Merge.inV and vertex objects by vertex ids. */
  protected abstract resolve(map: GremlinMap, row: Batch, activation: Activation): Task<GremlinMap>
  /** Creates the element and returns its ref. */
  protected abstract create(map: GremlinMap, activation: Activation): Task<number>
}
