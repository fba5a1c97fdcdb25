import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../../../structure/collections/Collections.ts"
import { Tree } from "../../../structure/collections/Tree.ts"
import { isNumber } from "../../../structure/numbers/Numbers.ts"
import { Char } from "../../../structure/scalars/Char.ts"
import { arrayClassName, ClassName } from "../../../structure/scalars/ClassNames.ts"
import { EnumValue } from "../../../structure/scalars/Enums.ts"
import { Uuid } from "../../../structure/scalars/Uuid.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import { Duration, OffsetDateTime, Temporal, Timestamp } from "../../../structure/times/Temporal.ts"
import { javaClassName } from "../../parser/Imports.ts"
import { primitiveClasses } from "../../parser/Names.ts"
import { ScriptTraversal } from "../../ScriptObjects.ts"
import type { Budget } from "../budget/Budget.ts"
import { isA, ScriptException } from "../objects/Exceptions.ts"
import { TextBuilder } from "../objects/TextBuilder.ts"
import { JavaArray } from "../values/JavaArray.ts"
import { numberTypeOf } from "../values/NumberTypes.ts"
import { Unavailable } from "../values/OperandErrors.ts"
import { RangeList } from "../values/RangeList.ts"
import { isInstance } from "./Instances.ts"

// The classes of values, and the methods of classes that all classes have. A class is only a name: nothing is loaded or called through it.

const GRAPH_TRAVERSAL = "org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.DefaultGraphTraversal"

/** Enumerations whose constants have the class of the enumeration. The constants of the others have classes of their own. */
const plainEnums: ReadonlySet<string> = new Set([
  "Direction",
  "Scope",
  "Pop",
  "Cardinality",
  "Pick",
  "Merge",
  "DT",
  "GType"
])

const enumClass = (name: string): string =>
  name === "Cardinality" ? "org.apache.tinkerpop.gremlin.structure.VertexProperty$Cardinality" : javaClassName(name)

/** Types of values that always have the same Java class, however the value was made. */
const plainTypes = [
  ...[GremlinMap, GremlinSet, BulkSet, Tree, Char, Duration, OffsetDateTime, Temporal, Timestamp, Uuid],
  ...[ScriptException, ClassName]
]

/**
 * The class of a value, as `x.getClass()` gives it. Fails for values whose classes differ between graph systems, such as vertices,
 * and for values that Java keeps in classes without a name.
 */
export const classOf = (value: unknown): ClassName => {
  if (value instanceof EnumValue && plainEnums.has(value.enumName)) return new ClassName(enumClass(value.enumName))
  if (value instanceof MapEntry) return new ClassName("java.util.LinkedHashMap$Entry")
  if (value instanceof TextBuilder) return new ClassName(`java.lang.${value.type}`)
  if (value instanceof JavaArray) return new ClassName(arrayClassName(javaClassName(value.type)))
  if (value instanceof Uint8Array) return new ClassName(arrayClassName("byte"))
  if (value instanceof RangeList) {
    return new ClassName(typeof value[0] === "bigint" ? "groovy.lang.NumberRange" : "groovy.lang.IntRange")
  }
  if (value instanceof ScriptTraversal) return new ClassName(GRAPH_TRAVERSAL)
  const isPlain =
    typeof value !== "object" ||
    isNumber(value) ||
    Array.isArray(value) ||
    plainTypes.some((type) => value instanceof type)
  if (isPlain) return new ClassName(javaClassName(typeName(value)))
  throw new Unavailable(
    `the class of ${typeName(value)} has another name on each server: test the type by instanceof instead`
  )
}

/** The simple name of a class that is an argument. Fails with Unavailable for another value. */
export const classGiven = (value: unknown): string => {
  if (value instanceof ClassName) return value.simpleName
  throw new Unavailable(`a class such as String was expected, not ${typeName(value)}`)
}

/** True if the value is an instance of the class. As in Java, a primitive type such as int has none. */
export const isInstanceOf = (value: unknown, of: ClassName): boolean =>
  !primitiveClasses.has(of.name) && isInstance(value, of.simpleName) === true

/** True if a value of the class `other` can be assigned to a variable of the class `target`, as far as scripts know both. */
export const isAssignable = (target: ClassName, other: ClassName): boolean => {
  const [name, from] = [target.simpleName, other.simpleName]
  if (target.name === other.name || name === "Object") return true
  const isNumberClass = numberTypeOf(from) !== undefined && /^[A-Z]/.test(from)
  if (name === "Number") return isNumberClass
  if (name === "Comparable") return isNumberClass || ["String", "Boolean", "Character"].includes(from)
  if (name === "CharSequence") return from === "String"
  return isA(from, name)
}

/** A property of a class that all classes have, such as `simpleName`; undefined for another name. */
export const classProperty = (of: ClassName, name: string): string | undefined => {
  switch (name) {
    case "simpleName":
      return of.simpleName
    case "name":
      return of.name
    case "canonicalName":
    case "typeName":
      if (of.name.startsWith("[")) return undefined
      return name === "typeName" ? of.name : of.name.replace("$", ".")
    default:
      return undefined
  }
}

/** Calls a method that all classes have. Undefined for another method. */
export const callClassMethod = (
  of: ClassName,
  name: string,
  args: readonly unknown[],
  budget: Budget
): { readonly value: unknown } | undefined => {
  const [first] = args
  if (args.length === 0) {
    if (name === "toString") return { value: budget.text(of) }
    const property = name.startsWith("get") ? `${name.slice(3, 4).toLowerCase()}${name.slice(4)}` : ""
    const value = classProperty(of, property)
    return value === undefined ? undefined : { value }
  }
  if (args.length > 1) return undefined
  if (name === "equals") return { value: first instanceof ClassName && first.name === of.name }
  if (name === "isInstance") return { value: isInstanceOf(first, of) }
  if (name === "isAssignableFrom" && first instanceof ClassName) return { value: isAssignable(of, first) }
  return undefined
}
