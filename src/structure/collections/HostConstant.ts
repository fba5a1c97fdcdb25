import { type EnumValue, enumValue } from "../scalars/Enums.ts"
import { equivalent, Keyed } from "./Equivalence.ts"

/**
 * A constant of a class that the host defines, such as `Multiplicity.MULTI` or `SchemaAction.REINDEX`. Two of one class and name are equal.
 * One of JanusGraph's Cardinality is also equal to the constant of Gremlin's that it stands for: `SINGLE` to `single`.
 */
export class HostConstant extends Keyed {
  readonly className: string
  readonly name: string
  constructor(className: string, name: string) {
    super()
    this.className = className
    this.name = name
  }
  /** The constant of Gremlin's Cardinality that one of JanusGraph's stands for; undefined for other classes. */
  get ofGremlin(): EnumValue | undefined {
    return this.className === "Cardinality" ? enumValue("Cardinality", this.name.toLowerCase()) : undefined
  }
  override equivalenceKey(): string | EnumValue {
    return this.ofGremlin ?? `\0H${this.className}.${this.name}`
  }
  get [Symbol.toStringTag](): string {
    return this.className
  }
  override toString(): string {
    return this.name
  }
}

/** A constant of an enumeration of Gremlin or of the host. */
export type AnyConstant = EnumValue | HostConstant

/** True for two values of which one is a constant of the host, and the other one is equal to it. */
export const areSameConstants = (left: unknown, right: unknown): boolean =>
  (left instanceof HostConstant || right instanceof HostConstant) && equivalent(left, right)
