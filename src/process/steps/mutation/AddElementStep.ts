import { T } from "../../../structure/scalars/Enums.ts"
import { briefText } from "../../../structure/texts/Text.ts"
import { TraversalError, TraversalInvalid } from "../../language/Errors.ts"
import { Parameter } from "../../language/Operand.ts"
import type { Needs } from "../../plan/Activation.ts"
import { type PlanBuilder, Step, type Traversal } from "../../plan/Step.ts"
import { creating } from "../../plan/StepTraits.ts"
import {
  argumentWrite,
  type PropertyCall,
  type PropertyWrite,
  propertyWrite,
  withMeta
} from "../shared/PropertyWrites.ts"
import {
  type ArgumentColumn,
  argumentChildren,
  MadeArgument,
  replaceArgument,
  StepArgument
} from "../shared/StepArgument.ts"

/** Base of addV() and addE(): handles label, id and properties. */
export abstract class AddElementStep extends Step {
  readonly traits = creating
  protected label: StepArgument | null
  protected id: StepArgument | null = null
  #writes: Array<PropertyWrite> = []
  /** Built on first use and reset by each change, because there may be thousands of arguments. */
  #arguments: ReadonlyArray<StepArgument> | null = null
  #withTraversals: ReadonlyArray<StepArgument> | null = null

  constructor(label: unknown, compiler: PlanBuilder) {
    super()
    this.label = label === undefined || label === null ? null : new StepArgument(label, this, compiler)
  }

  get writes(): ReadonlyArray<PropertyWrite> {
    return this.#writes
  }

  /** The label of an element that is given none. */
  protected abstract readonly defaultLabel: string
  /** Whether the creation writes this property. Throws TraversalInvalid if no such property can be written. */
  protected abstract creates(call: PropertyCall): boolean

  #add(write: PropertyWrite): void {
    this.#writes.push(write)
    this.changed()
  }

  /**
   * Takes the calls of property() steps that follow this step, also after others of them and after as(). Returns those that must be steps
   * of their own.
   */
  take(calls: ReadonlyArray<PropertyCall>, compiler: PlanBuilder): ReadonlyArray<PropertyCall> {
    return calls.filter((call) => {
      if (!this.creates(call)) return true
      if (call.key === T.id) this.#setId(call.value, compiler)
      else if (call.key === T.label) this.#setLabel(call.value, compiler)
      else this.#add(propertyWrite({ ...call, cardinality: null, meta: [] }, this, compiler))
      return false
    })
  }

  #setId(id: unknown, compiler: PlanBuilder): void {
    if (this.id !== null) throw overridden("id", this.id)
    this.id = new StepArgument(id, this, compiler)
    this.changed()
  }

  #setLabel(label: unknown, compiler: PlanBuilder): void {
    if (this.label !== null && this.label.value !== this.defaultLabel) throw overridden("label", this.label)
    this.label = new StepArgument(label, this, compiler)
    this.changed()
  }

  /** Adds a property that a strategy writes. */
  write(key: string, value: string, compiler: PlanBuilder): void {
    this.#add(propertyWrite({ cardinality: null, key, value, meta: [] }, this, compiler))
  }

  /**
   * Writes the id as a property (ElementIdStrategy). `make` generates an id in each run if the traversal gives none, neither as T.id nor
   * under the key.
   */
  idAsProperty(key: string, make: () => string, compiler: PlanBuilder): void {
    if (this.id === null && this.#writes.some((write) => write.key.value === key)) return
    const id = this.id ?? new MadeArgument(make, this, compiler)
    this.id = null
    this.#add(argumentWrite(new StepArgument(key, this, compiler), id))
  }

  /** Adds a meta-property to each written property (PartitionStrategy). */
  addMeta(key: string, value: string, compiler: PlanBuilder): void {
    this.#writes = this.#writes.map((write) => withMeta(write, key, value, this, compiler))
    this.changed()
  }

  /** Accepts with() and ignores it: it configures a graph implementation, and this one has no such options. */
  override modulate(operator: string, args: readonly unknown[], compiler: PlanBuilder): void {
    if (operator !== "with") super.modulate(operator, args, compiler)
  }

  /** The arguments that are evaluated for each row before any write. */
  protected get arguments(): ReadonlyArray<StepArgument> {
    this.#arguments ??= [
      ...(this.label === null ? [] : [this.label]),
      ...(this.id === null ? [] : [this.id]),
      ...this.#writes.flatMap((write) => write.arguments),
      ...this.ends
    ]
    return this.#arguments
  }

  /** The arguments after those of the properties. */
  protected get ends(): ReadonlyArray<StepArgument> {
    return []
  }
  protected changed(): void {
    this.#arguments = null
    this.#withTraversals = null
  }

  override localChildren(): ReadonlyArray<Traversal> {
    this.#withTraversals ??= this.arguments.filter(({ traversal }) => traversal !== null)
    return argumentChildren(this.#withTraversals)
  }
  override replaceChild(from: Traversal, to: Traversal): void {
    replaceArgument(this.arguments, from, to)
  }
  override require(needs: Needs): void {
    needs.writes = true
    needs.sequential = true
  }

  /** Reads the columns in the order of {@link arguments}. */
  protected columns(all: ReadonlyArray<ArgumentColumn>): {
    readonly label: ArgumentColumn
    readonly id: ArgumentColumn
    readonly rest: ReadonlyArray<ArgumentColumn>
  } {
    let at = 0
    const label = this.label === null ? () => undefined : all[at++]!
    const id = this.id === null ? () => undefined : all[at++]!
    if (this.id !== null && this.id.traversal === null && id(0) === null) {
      throw new TraversalError(`Value of T cannot be null: ${this.operator}() was given null as T.id`)
    }
    return { label, id, rest: all.slice(at) }
  }
}

/** The error of a second T.id or T.label. A plan does not have the values of its parameters. */
const overridden = (token: "id" | "label", { traversal, value }: StepArgument): TraversalInvalid => {
  const known = traversal === null && value instanceof Parameter ? "" : ` to [${traversal ?? briefText(value)}]`
  return new TraversalInvalid(`Element T.${token} has already been set${known} and cannot be overridden: give it once`)
}
