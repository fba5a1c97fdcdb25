import { T } from "../../../structure/scalars/Enums.ts"
import { Bytecode } from "../../language/Bytecode.ts"
import type { Needs } from "../../plan/Activation.ts"
import { type PlanBuilder, Step, type Traversal } from "../../plan/Step.ts"
import { creating } from "../../plan/StepTraits.ts"
import { argumentWrite, type PropertyWrite, propertyWrites, withMeta } from "../shared/PropertyWrites.ts"
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

  #add(writes: ReadonlyArray<PropertyWrite>): void {
    // No spread: a map may have more entries than a call can have arguments.
    for (const write of writes) this.#writes.push(write)
    this.changed()
  }

  /** Merges a property() that directly follows into this step. Returns false if it must stay a separate step. */
  take(args: readonly unknown[], compiler: PlanBuilder): boolean {
    if (this.labels.length > 0) return false
    const [key, value] = args
    this.changed()
    if (key === T.id) {
      this.id = new StepArgument(value, this, compiler)
      return true
    }
    if (key === T.label) {
      this.label = new StepArgument(value, this, compiler)
      return true
    }
    // Only a plain property is part of the creation. A property with a cardinality or meta-properties is a separate
    // step.
    if (args.length > 2 || (args.length === 2 && !(typeof key === "string" || key instanceof Bytecode))) return false
    this.#add(propertyWrites(args, this, compiler))
    return true
  }

  /** Adds a property that a strategy writes. */
  write(key: string, value: string, compiler: PlanBuilder): void {
    this.#add(propertyWrites([key, value], this, compiler))
  }

  /** Writes the id as a property (ElementIdStrategy). `make` generates an id in each run if the traversal does not give one. */
  idAsProperty(key: string, make: () => string, compiler: PlanBuilder): void {
    const id = this.id ?? new MadeArgument(make, this, compiler)
    this.id = null
    this.#add([argumentWrite(new StepArgument(key, this, compiler), id)])
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
    return { label, id, rest: all.slice(at) }
  }
}
