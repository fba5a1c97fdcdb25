import { VertexProperty } from "../../../structure/elements/Element.ts"
import { isNumber, type NumberKind, numberKind } from "../../../structure/numbers/Numbers.ts"
import { Char } from "../../../structure/scalars/Char.ts"
import { exceptionParents } from "../../parser/ExceptionNames.ts"
import { ScriptException } from "../objects/Exceptions.ts"
import { numberTypeOf } from "../values/NumberTypes.ts"
import { RangeList } from "../values/RangeList.ts"
import { isInstance } from "./Instances.ts"

// Which arguments a typed parameter takes, and how near its type is to them. Groovy is stricter here than for assignments: it widens
// numbers only. The distances are those of Groovy: any interface is nearer than another number type, and any number type is nearer
// than a superclass.

/** Distance of one step among number types. A step among interfaces counts 1. */
const NUMBER_STEP = 2 ** 21

/** Distance of one step among classes. */
const CLASS_STEP = 2 ** 23

/** Steps that a superclass is further than any number type, steps to the next superclass, and those to Object. */
const SUPERCLASS = 21
const PER_SUPERCLASS = 3
const OBJECT = SUPERCLASS + 4 * PER_SUPERCLASS

/** The number types of the parameters that take a number, the nearest first. */
const takers: { readonly [kind in NumberKind]: readonly NumberKind[] } = {
  Byte: ["Byte", "Short", "Int", "Long", "BigInteger", "Float", "Double", "BigDecimal"],
  Short: ["Short", "Int", "Long", "BigInteger", "Float", "Double", "BigDecimal"],
  Int: ["Int", "Long", "BigInteger", "Float", "Double", "BigDecimal"],
  Long: ["Long", "BigInteger", "Float", "Double", "BigDecimal"],
  BigInteger: ["BigInteger", "BigDecimal", "Double", "Float"],
  Float: ["Float", "Double", "BigDecimal"],
  Double: ["Double", "BigDecimal"],
  BigDecimal: ["BigDecimal", "Double"]
}

/** Steps from a large number to Number, which is nearer to it than other number types, and from any other. */
const toNumberType = (kind: NumberKind): number => (kind === "BigInteger" || kind === "BigDecimal" ? 1 : 18)

/** Interfaces, with the steps from a value to them. */
const interfaces: { readonly [type: string]: number } = {
  CharSequence: 1,
  Comparable: 1,
  List: 1,
  Set: 1,
  Map: 1,
  Entry: 1,
  Range: 1,
  Path: 1,
  Vertex: 1,
  Edge: 1,
  VertexProperty: 1,
  Property: 1,
  Collection: 2,
  Element: 2,
  GraphTraversal: 2,
  Iterable: 3,
  Traversal: 4,
  Iterator: 5
}

/** Superclasses of values, with the steps to them. Other classes are those of the values themselves. */
const superclasses: { readonly [type: string]: number } = { Closure: 1, HashMap: 1, HashSet: 1 }

/** Classes with the number of their superclasses, which tells how special they are for null. Others have one. */
const depths: { readonly [type: string]: number } = {
  Closure: 2,
  ArrayList: 3,
  HashMap: 2,
  LinkedHashMap: 3,
  HashSet: 3,
  LinkedHashSet: 4,
  BulkSet: 3
}

const isInterface = (type: string): boolean => Object.hasOwn(interfaces, type)

const depthOf = (type: string): number => {
  if (Object.hasOwn(exceptionParents, type)) return stepsToParent(type, "") ?? 1
  if (Object.hasOwn(depths, type)) return depths[type]!
  return numberTypeOf(type) === undefined ? 1 : 2
}

/** Number of steps from an exception to one that it extends. */
const stepsToParent = (type: string, parent: string): number | undefined => {
  let steps = 0
  for (let at = type; at !== parent; at = exceptionParents[at]!) {
    if (!Object.hasOwn(exceptionParents, at)) return undefined
    steps++
  }
  return steps
}

/** Of null: Object is as near as a value's own type, and an interface even nearer if the other arguments do not decide. */
const distanceOfNull = (type: string): number | undefined => {
  if (!/^[A-Z]/.test(type)) return undefined
  return isInterface(type) ? -1 : 2 * depthOf(type) * CLASS_STEP
}

const distanceOfNumber = (kind: NumberKind, type: string): number | undefined => {
  if (type === "Number") return toNumberType(kind) * NUMBER_STEP
  const wanted = numberTypeOf(type)
  const at = wanted === undefined ? -1 : takers[kind].indexOf(wanted)
  if (at < 0) return undefined
  const isPrimitive = /^[a-z]/.test(type)
  // The object type is nearer to its own numbers, and the primitive type to those of other types.
  return (2 * at + (isPrimitive === (at === 0) ? 1 : 0)) * NUMBER_STEP
}

/** Types of characters and booleans, each with the object type first. */
const boxed: ReadonlyMap<string, readonly [objectType: string, primitiveType: string]> = new Map([
  ["boolean", ["Boolean", "boolean"]],
  ["char", ["Character", "char"]]
])

const distanceOfObject = (type: string, value: unknown): number => {
  if (type === "Object")
    return value instanceof Char || typeof value === "boolean" ? 2 * NUMBER_STEP : OBJECT * CLASS_STEP
  // A list of a range has one interface more, and the property of a vertex is a property and an element.
  const more = value instanceof RangeList && type !== "Range" ? 1 : value instanceof VertexProperty ? 1 : 0
  if (isInterface(type)) return interfaces[type]! + (type === "VertexProperty" || type === "Element" ? 0 : more)
  const steps =
    value instanceof ScriptException
      ? stepsToParent(value.type, type)
      : Object.hasOwn(superclasses, type)
        ? superclasses[type]
        : 0
  return steps ? (SUPERCLASS + PER_SUPERCLASS * steps) * CLASS_STEP : 0
}

/**
 * How far the type of a parameter is from the value of its argument: 0 for the type of the value itself, more for a wider or more
 * general type. Undefined if the parameter does not take the value.
 */
export const distanceTo = (type: string, value: unknown): number | undefined => {
  if (value === null) return type === "" || type === "Object" ? 0 : distanceOfNull(type)
  if (type === "" || type === "Object") {
    return isNumber(value) ? (toNumberType(numberKind(value)) + 1) * NUMBER_STEP : distanceOfObject("Object", value)
  }
  if (isNumber(value) && !isInterface(type)) return distanceOfNumber(numberKind(value), type)
  if (numberTypeOf(type) !== undefined) return undefined
  const pair = boxed.get(typeof value === "boolean" ? "boolean" : value instanceof Char ? "char" : "")
  if (pair?.includes(type)) return pair.indexOf(type) * NUMBER_STEP
  if (type === "boolean" || type === "char") return undefined
  const takes = isInstance(value, type)
  // A type that scripts do not know takes all values.
  if (takes === undefined) return OBJECT * CLASS_STEP
  return takes ? distanceOfObject(type, value) : undefined
}
