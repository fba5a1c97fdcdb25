import { GremlinMap } from "../../structure/Collections.ts"
import { Edge, type Vertex } from "../../structure/Element.ts"
import { type EnumValue, Merge } from "../../structure/Enums.ts"
import type { Activation } from "../Activation.ts"
import { cardinalityOf, cardinalityValue, isEnum, nameOf } from "../Arguments.ts"
import { Batch, carry, EDGE, slice, VALUE, VERTEX } from "../Batch.ts"
import type { Compiler } from "../Compiler.ts"
import { TraversalError, TraversalInvalid } from "../Errors.ts"
import { resolve } from "../Operand.ts"
import { planOf } from "../Plan.ts"
import { writeProperty } from "../PropertyWrites.ts"
import { type Needs, Step } from "../Step.ts"
import { argumentChildren, replaceArgument, StepArgument } from "../StepArgument.ts"
import type { Traversal } from "../Traversal.ts"
import { searchTraversal } from "./ElementSearch.ts"
import { checkKeys, checkMergeMap, checkNoOverrides } from "./MergeMaps.ts"
import { scoutMerge } from "./MergeScout.ts"

/**
 * mergeV() and mergeE(): finds elements by a map of criteria; those found take the properties of onMatch, else one is
 * made of the criteria and onCreate. Rows are worked one after the other, because each may make what the next one finds.
 */
export abstract class MergeStep extends Step {
  override readonly name: string
  protected abstract readonly element: "vertex" | "edge"
  /** The criteria; null = the object of the traverser. */
  protected readonly criteria: StepArgument | null
  protected readonly options = new Map<EnumValue, StepArgument>()
  /** Of the values in an option's map that name none themselves. */
  readonly #cardinalities = new Map<EnumValue, EnumValue>()
  /** Properties that a strategy adds to criteria and creation (PartitionStrategy). */
  readonly partition: Array<readonly [string, unknown]> = []
  #search: Traversal | null = null

  constructor(name: string, args: readonly unknown[], compiler: Compiler) {
    super()
    this.name = name
    this.criteria = args.length === 0 ? null : new StepArgument(args[0], this, compiler)
  }

  override modulate(operator: string, args: readonly unknown[], compiler: Compiler): void {
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
      throw new TraversalInvalid(`option() takes a Cardinality behind its map, but was given ${nameOf(cardinality)}`)
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
  /** Gives the elements that meet maps of criteria. */
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
  override readonly mutates = true
  override require(needs: Needs): void {
    needs.writes = true
    needs.sequential = true
  }

  /** Arguments whose traversals start at the rows that come. */
  get argumentsOfRows(): ReadonlyArray<StepArgument> {
    const onMatch = this.argumentOf(Merge.onMatch)
    return this.#arguments.filter((argument) => argument !== onMatch)
  }
  argumentOf(option: EnumValue): StepArgument | undefined {
    return this.options.get(option)
  }
  /** The criteria of one row as they are searched for. */
  resolvedCriteria(row: Batch, activation: Activation, done: (criteria: GremlinMap) => void): void {
    this.#criteriaOf(row, activation, (unresolved) => this.resolve(unresolved, row, activation, done))
  }
  /** Asks for the vertices that options of a scout's rows name as ends. */
  askEnds(_batch: Batch, _activation: Activation, done: () => void): void {
    done()
  }
  override scout(batch: Batch, activation: Activation): void {
    scoutMerge(this, batch, activation)
  }

  override run(batch: Batch, activation: Activation): undefined {
    const next = (row: number): void => {
      if (row < batch.length) this.#merge(slice(batch, row, row + 1), activation, () => next(row + 1))
    }
    next(0)
  }

  /** Maps that are given as values are checked even when they come to no use. */
  #checkGiven(criteria: GremlinMap, activation: Activation): void {
    const given = (token: EnumValue): GremlinMap | undefined => {
      const argument = this.options.get(token)
      const value =
        argument === undefined || argument.traversal !== null ? undefined : resolve(argument.value, activation.run)
      return value instanceof GremlinMap ? value : undefined
    }
    const onMatch = given(Merge.onMatch)
    if (onMatch !== undefined) checkKeys(onMatch)
    const onCreate = given(Merge.onCreate)
    if (onCreate === undefined) return
    checkMergeMap(onCreate, this.operator)
    if (this.criteria !== null && this.criteria.traversal === null) checkNoOverrides(criteria, onCreate)
  }

  /** One row: criteria, search, then match or creation. */
  #merge(row: Batch, activation: Activation, done: () => void): void {
    this.#criteriaOf(row, activation, (unresolved) => {
      this.#checkGiven(unresolved, activation)
      this.resolve(unresolved, row, activation, (criteria) => {
        const found: Array<number> = []
        const maps = carry(row, null, new Batch(VALUE, [criteria], 1))
        activation.invokeAll(
          planOf(this.search),
          maps,
          (batch) => {
            for (let i = 0; i < batch.length; i++) found.push(batch.data[i] as number)
          },
          () => {
            if (found.length > 0) this.#match(found, row, activation, done)
            else {
              this.#option(Merge.onCreate, row, activation, (onCreate) => {
                if (onCreate !== undefined) {
                  checkMergeMap(onCreate, this.operator)
                  checkNoOverrides(unresolved, onCreate)
                }
                const all = new GremlinMap([...(onCreate ?? []), ...criteria])
                this.resolve(all, row, activation, (resolved) => {
                  const create = (): void => {
                    this.emitRefs([this.create(resolved, activation)], row, activation)
                    done()
                  }
                  // A store that answers later has not been asked for the ends that only onCreate names: the search does.
                  const unasked =
                    onCreate !== undefined && this.element === "edge" && activation.transaction.answersLater
                  if (unasked) {
                    const ends = carry(row, null, new Batch(VALUE, [resolved], 1))
                    activation.invokeAll(planOf(this.search), ends, () => {}, create)
                  } else create()
                })
              })
            }
          }
        )
      })
    })
  }

  #criteriaOf(row: Batch, activation: Activation, done: (criteria: GremlinMap) => void): void {
    const take = (value: unknown): void => {
      const map = this.#withPartition(asMap(value, this.operator))
      checkMergeMap(map, this.operator)
      done(map)
    }
    if (this.criteria === null) take(row.value(0, activation.transaction))
    else {
      this.criteria.evaluate(row, activation, (column) => {
        const value = column(0)
        if (value === undefined)
          throw new TraversalError(`The traversal of ${this.operator}() gave nothing to search for`)
        take(value)
      })
    }
  }

  #withPartition(map: GremlinMap): GremlinMap {
    return this.partition.length === 0 ? map : new GremlinMap([...map, ...this.partition])
  }

  /** The map of an option for a row; undefined when there is none or it is empty. */
  #option(token: EnumValue, row: Batch, activation: Activation, done: (map: GremlinMap | undefined) => void): void {
    const argument = this.options.get(token)
    if (argument === undefined) {
      done(undefined)
      return
    }
    argument.evaluate(row, activation, (column) => {
      const map = asMap(column(0) ?? null, this.operator)
      const cardinality = this.#cardinalities.get(token)
      if (map.size === 0) done(undefined)
      else done(cardinality === undefined ? map : withCardinality(map, cardinality))
    })
  }

  /** Elements that were found take the properties of onMatch, whose traversal starts at each of them, and go on. */
  #match(found: ReadonlyArray<number>, row: Batch, activation: Activation, done: () => void): void {
    let at = this.options.has(Merge.onMatch) ? 0 : found.length
    let isLooping = false
    // A map that is a value is there at once: a call within a call for each element would be too deep.
    const goOn = (): void => {
      if (isLooping) return
      isLooping = true
      while (at < found.length) {
        const before = at
        this.#matchOne(found[at]!, row, activation, () => {
          at++
          goOn()
        })
        if (at === before) {
          isLooping = false
          return
        }
      }
      this.emitRefs(found, row, activation)
      done()
    }
    goOn()
  }

  #matchOne(ref: number, row: Batch, activation: Activation, done: () => void): void {
    const { transaction } = activation
    const refs = transaction.newRefs(1)
    refs[0] = ref
    const start = carry(row, null, new Batch(this.element === "vertex" ? VERTEX : EDGE, refs, 1))
    this.#option(Merge.onMatch, start, activation, (map) => {
      if (map !== undefined) {
        checkKeys(map)
        const element = this.element === "vertex" ? transaction.vertex(ref) : transaction.edge(ref)
        for (const [key, value] of map) this.#write(element, key, value, activation)
      }
      done()
    })
  }

  #write(element: Vertex | Edge, key: unknown, value: unknown, activation: Activation): void {
    const own = cardinalityValue(value)
    if (own !== undefined && element instanceof Edge) {
      throw new TraversalError("Property cardinality can only be set for a Vertex, not for an Edge")
    }
    const plain = own === undefined ? value : own.value
    writeProperty(element, own?.cardinality ?? null, key, plain, [], activation.transaction, false)
  }

  /** Writes what a map holds beside id, label and ends. */
  protected writeAll(element: Vertex | Edge, map: GremlinMap, activation: Activation): void {
    for (const [key, value] of map) if (typeof key === "string") this.#write(element, key, value, activation)
  }

  protected emitRefs(found: ReadonlyArray<number>, row: Batch, activation: Activation): void {
    const refs = activation.transaction.newRefs(found.length)
    refs.set(found)
    const rows = new Int32Array(found.length)
    activation.emitData(this, row, rows, this.element === "vertex" ? VERTEX : EDGE, refs, found.length)
  }

  /** Puts the ids of vertices in place of Merge.outV, Merge.inV and vertex objects. */
  protected abstract resolve(map: GremlinMap, row: Batch, activation: Activation, done: (map: GremlinMap) => void): void
  /** Makes the element; gives its ref. */
  protected abstract create(map: GremlinMap, activation: Activation): number
}

const withCardinality = (map: GremlinMap, cardinality: EnumValue): GremlinMap =>
  new GremlinMap(
    [...map].map(([key, value]) => {
      const plain = typeof key !== "string" || cardinalityValue(value) !== undefined
      return [key, plain ? value : cardinalityOf(cardinality, value)]
    })
  )

const asMap = (value: unknown, operator: string): GremlinMap => {
  if (value === null || value === undefined) return new GremlinMap()
  if (value instanceof GremlinMap) return value
  throw new TraversalError(`${operator}() takes a map, but was given ${nameOf(value)}`)
}
