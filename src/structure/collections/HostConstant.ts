import { EnumValue, enumValue } from "../scalars/Enums.ts"
import { equivalent, Keyed } from "./Equivalence.ts"

/**
 * A constant of a class that the host defines, such as `Multiplicity.MULTI` or `SchemaAction.REINDEX`. Two with one name are equal, and
 * JanusGraph's `SINGLE` is equal to the `single` of Gremlin.
 */
export class HostConstant extends Keyed {
  readonly className: string
  readonly name: string
  constructor(className: string, name: string) {
    super()
    this.className = className
    this.name = name
  }
  override equivalenceKey(): string | EnumValue {
    const ofGremlin = this.className === "Cardinality" ? enumValue("Cardinality", this.name.toLowerCase()) : undefined
    return ofGremlin ?? `\0H${this.className}.${this.name}`
  }
  get [Symbol.toStringTag](): string {
    return this.className
  }
  override toString(): string {
    return this.name
  }
}

/**
 * True for two values of which one is a constant of the host or of Gremlin's Cardinality, and the other one is equal to it. A cardinality
 * is also equal to the type of its name: scripts for JanusGraph compare it to `LIST` and `SET`, and without their class these are types.
 */
export const areSameConstants = (left: unknown, right: unknown): boolean =>
  isTypeOfName(left, right) ||
  isTypeOfName(right, left) ||
  ((left instanceof HostConstant || right instanceof HostConstant) && equivalent(left, right))

const isTypeOfName = (value: unknown, constant: unknown): boolean => {
  if (!(value instanceof EnumValue) || value.enumName !== "GType") return false
  const isCardinality =
    constant instanceof HostConstant
      ? constant.className === "Cardinality"
      : constant instanceof EnumValue && constant.enumName === "Cardinality"
  return isCardinality && (constant as EnumValue | HostConstant).name.toUpperCase() === value.name
}
