import { isPredicate } from "../../../process/language/Predicate.ts"
import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../../../structure/collections/Collections.ts"
import { MapValues } from "../../../structure/collections/MapValues.ts"
import { Tree } from "../../../structure/collections/Tree.ts"
import { Edge, isElement, Property, VertexProperty } from "../../../structure/elements/Element.ts"
import { Path } from "../../../structure/elements/Path.ts"
import { Geoshape } from "../../../structure/geoshapes/Geoshape.ts"
import { JavaRandom } from "../../../structure/numbers/JavaRandom.ts"
import { Byte, isNumber } from "../../../structure/numbers/Numbers.ts"
import { Char } from "../../../structure/scalars/Char.ts"
import { EnumValue } from "../../../structure/scalars/Enums.ts"
import { Uuid } from "../../../structure/scalars/Uuid.ts"
import { reversed } from "../../../structure/texts/Text.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import { Duration, OffsetDateTime, Temporal, Timestamp } from "../../../structure/times/Temporal.ts"
import { javaClassName } from "../../parser/Imports.ts"
import { insteadOf } from "../../ScriptHints.ts"
import type { Budget } from "../budget/Budget.ts"
import { enumMethods } from "../classes/EnumMethods.ts"
import { memberClosureMethods } from "../closures/ClosureMethods.ts"
import { mapClosureMethods } from "../closures/MapClosureMethods.ts"
import { memberMethods } from "../collections/CollectionMethods.ts"
import { listMethods, setMethods } from "../collections/ListMethods.ts"
import { mapMethods } from "../collections/MapMethods.ts"
import { rangeMethods } from "../collections/RangeMethods.ts"
import { iteratorMethods, optionalMethods } from "../collections/ResultMethods.ts"
import { sortedMapMethods, sortedSetMethods } from "../collections/SortedMethods.ts"
import { treeMethods } from "../collections/TreeMethods.ts"
import { orderOf } from "../comparison/GroovyOrder.ts"
import { hashCodeOf } from "../comparison/HashCodes.ts"
import { isTrue } from "../comparison/Truth.ts"
import { localDateMethods, localDateTimeMethods, offsetDateTimeMethods } from "../dates/CalendarMethods.ts"
import { dateMethods, durationMethods, instantMethods, temporalMember } from "../dates/TemporalMethods.ts"
import { ShapeBuilder, ShapeFactory, shapeBuilderMethods, shapeFactoryMethods } from "../geoshapes/ShapeBuilder.ts"
import { shapeMethods } from "../geoshapes/ShapeMethods.ts"
import {
  edgeMethods,
  elementMethods,
  entryMethods,
  pathMethods,
  pathObject,
  propertyMethods,
  vertexPropertyMethods
} from "../graph/ElementMethods.ts"
import { JsonSlurper, jsonSlurperMethods } from "../json/JsonReading.ts"
import { argumentCount, asIndex, type Method, type Methods, positioned, withinArray } from "../methods/MethodTable.ts"
import { booleanMethods } from "../numbers/BitMethods.ts"
import { methodsOfNumber } from "../numbers/NumberTypeMethods.ts"
import { randomMethods } from "../numbers/RandomMethods.ts"
import { Counter, counterMethods } from "../objects/Counters.ts"
import { exceptionMethods } from "../objects/ExceptionMethods.ts"
import { ScriptException } from "../objects/Exceptions.ts"
import { ScriptMatcher } from "../objects/Matchers.ts"
import { TextBuilder } from "../objects/TextBuilder.ts"
import { uuidMethods } from "../objects/UuidMethods.ts"
import { binary, isCase, isSameMember } from "../operators/Operators.ts"
import { predicateMethods, predicateValue } from "../operators/PredicateMethods.ts"
import { optionalStreamMethods, streamMethods, textStreamMethods } from "../streams/StreamStatics.ts"
import { byteMethods } from "../texts/ByteMethods.ts"
import { characterMethods } from "../texts/CharacterMethods.ts"
import { matcherMethods, patternMethods } from "../texts/MatcherMethods.ts"
import { textBuilderMethods } from "../texts/TextBuilderMethods.ts"
import { stringMethods } from "../texts/TextMethods.ts"
import { cast } from "../types/Casts.ts"
import { classGiven, classOf } from "../types/ClassMethods.ts"
import { checkChange } from "../values/Changeable.ts"
import { JavaArray } from "../values/JavaArray.ts"
import { membersOf } from "../values/Members.ts"
import { OperandError, Unavailable } from "../values/OperandErrors.ts"
import { Optional } from "../values/Optional.ts"
import { ScriptPattern } from "../values/Patterns.ts"
import { RangeList } from "../values/RangeList.ts"
import { ScriptIterator } from "../values/ScriptIterator.ts"
import { SortedMap, SortedSet } from "../values/SortedCollections.ts"

// Methods that scripts may call on values. They are the methods of strings, numbers and collections in Java and Groovy, and of
// elements in Gremlin, that existing scripts use. None of them takes a closure, so none runs code of a script.

const toStringMethod: Method = [0, 0, (value: unknown, _, budget) => budget.text(value)]

const anyMethods: Methods = {
  toString: toStringMethod,
  getClass: [0, 0, (value: unknown) => classOf(value)],
  asBoolean: [0, 0, isTrue],
  hashCode: [0, 0, (value: unknown, _, budget) => hashCodeOf(value, budget)],
  isCase: [1, 1, (value: unknown, [other], budget) => isCase(value, other, budget)],
  asType: [1, 1, (value: unknown, [type], budget) => cast(value, classGiven(type), budget)],
  is: [1, 1, (value: unknown, [other], budget) => binary("===", value, other, budget)],
  // As in Java, numbers of different types are not equal; `==` compares their values.
  equals: [
    1,
    1,
    (value: unknown, [other], budget) => {
      const isOther =
        value instanceof Char !== other instanceof Char ||
        (isNumber(value) && isNumber(other) && !isSameMember(value, other))
      if (value instanceof TextBuilder) return value === other
      return !isOther && binary("==", value, other, budget)
    }
  ],
  compareTo: [
    1,
    1,
    (value: unknown, [other], budget) => {
      budget.ordered(value, other)
      const result = orderOf(value, other)
      if (result === undefined) throw new OperandError(`${typeName(value)} and ${typeName(other)} have no order`)
      return Math.sign(result)
    }
  ]
}

const temporalMethods: { readonly [name: string]: Methods | undefined } = {
  Instant: instantMethods,
  LocalDate: localDateMethods,
  LocalDateTime: localDateTimeMethods
}

const streamed = (methods: Methods): Methods => ({ ...methods, ...streamMethods })

const strings: Methods = { ...stringMethods, ...textStreamMethods }
const lists = streamed(listMethods)
const ranges = streamed(rangeMethods)
const sets = streamed(setMethods)
const optionals: Methods = { ...optionalMethods, ...optionalStreamMethods }
const sortedSets = streamed(sortedSetMethods)

/** The methods of a value, by name. */
export const methodsOf = (value: unknown): Methods => {
  if (typeof value === "string") return strings
  if (Array.isArray(value)) return value instanceof RangeList ? ranges : lists
  if (value instanceof GremlinMap) return value instanceof SortedMap ? sortedMapMethods : mapMethods
  if (value instanceof GremlinSet) return value instanceof SortedSet ? sortedSets : sets
  if (value instanceof VertexProperty) return vertexPropertyMethods
  if (value instanceof Edge) return edgeMethods
  if (isElement(value)) return elementMethods
  if (isNumber(value)) return methodsOfNumber(value)
  if (typeof value === "boolean") return booleanMethods
  if (value instanceof Property) return propertyMethods
  if (value instanceof Path) return pathMethods
  if (value instanceof Tree) return treeMethods
  if (value instanceof TextBuilder) return textBuilderMethods
  if (value instanceof ShapeFactory) return shapeFactoryMethods
  if (value instanceof ShapeBuilder) return shapeBuilderMethods
  if (value instanceof MapEntry) return entryMethods
  if (value instanceof Uint8Array) return byteMethods
  if (value instanceof Char) return characterMethods
  if (value instanceof EnumValue) return enumMethods
  if (value instanceof Optional) return optionals
  if (value instanceof ScriptIterator) return iteratorMethods
  if (value instanceof ScriptException) return exceptionMethods
  if (value instanceof JavaRandom) return randomMethods
  if (value instanceof Uuid) return uuidMethods
  if (value instanceof Counter) return counterMethods
  if (value instanceof JsonSlurper) return jsonSlurperMethods
  if (value instanceof ScriptMatcher) return matcherMethods
  if (value instanceof ScriptPattern) return patternMethods
  if (value instanceof Timestamp) return dateMethods
  if (value instanceof Temporal) return temporalMethods[value.name] ?? anyMethods
  if (value instanceof OffsetDateTime) return offsetDateTimeMethods
  if (value instanceof Duration) return durationMethods
  if (value instanceof Geoshape) return shapeMethods
  if (isPredicate(value)) return predicateMethods
  try {
    membersOf(value, "")
    return memberMethods
  } catch {
    return anyMethods
  }
}

/** True if maps have a method of this name. Another name calls the closure that is the value of the key. */
export const isMapMethod = (name: string): boolean =>
  [sortedMapMethods, anyMethods, memberClosureMethods].some((methods) => Object.hasOwn(methods, name)) ||
  Object.hasOwn(mapClosureMethods, name) ||
  ["with", "tap", "forEach"].includes(name)

/** The method of this name: one of the value's own, or one that all values have. */
export const methodNamed = (methods: Methods, name: string): Method | undefined =>
  Object.hasOwn(methods, name) ? methods[name] : Object.hasOwn(anyMethods, name) ? anyMethods[name] : undefined

/** Calls a method of a value. Fails with OperandError for an unknown method or wrong arguments. */
export const callMethod = (value: unknown, name: string, args: readonly unknown[], budget: Budget): unknown => {
  const methods = methodsOf(value)
  const found = methodNamed(methods, name)
  if (found === undefined) {
    const known = [...new Set([...Object.keys(methods), "toString", "equals"])].sort().join(", ")
    throw new Unavailable(
      `${typeName(value)} has no method ${name}() in scripts${insteadOf(name) || `; it has ${known}`}`
    )
  }
  const [least, most, method] = found
  if (args.length < least || args.length > most) {
    throw new Unavailable(
      `${name}() of ${typeName(value)} takes ${argumentCount(least, most)} arguments, not ${args.length}`
    )
  }
  checkChange(value, name, args)
  budget.visited(value)
  return method(value as never, args, budget) ?? null
}

/** True when {@link readMember} returns a value for the name. */
export const hasMember = (value: unknown, name: string): boolean =>
  value instanceof GremlinMap || (Object.hasOwn(memberNames, name) && isReadable(value, name))

/** Properties of values other than maps. The function tests whether a value has the property. */
const memberNames: { readonly [name: string]: (value: unknown) => boolean } = {
  key: (value) => value instanceof MapEntry || value instanceof Property || isElement(value),
  value: (value) => value instanceof MapEntry || value instanceof Property || isElement(value),
  id: (value) => isElement(value),
  label: (value) => isElement(value),
  count: (value) => value instanceof ScriptMatcher,
  message: (value) => value instanceof ScriptException,
  cause: (value) => value instanceof ScriptException
}

const isReadable = (value: unknown, name: string): boolean =>
  memberNames[name]!(value) && (value as { readonly [name: string]: unknown })[name] !== undefined

/** The value of `x.name`: an entry of a map, or a field of an entry, element or property. Fails with OperandError. */
export const readMember = (value: unknown, name: string): unknown => {
  if (value instanceof GremlinMap) return value.get(name) ?? null
  if (name === "time" && value instanceof Timestamp) return value.millis
  if (name === "class") return classOf(value)
  // As in Groovy, a property of a path is the object with that label.
  if (value instanceof Path && value.labels.some((labels) => labels.has(name))) return pathObject(value, name)
  if (hasMember(value, name)) return (value as unknown as { readonly [name: string]: unknown })[name]
  if (isPredicate(value) && (name === "value" || name === "originalValue")) return predicateValue(value)
  if (value instanceof RangeList && (name === "from" || name === "to")) return value.end(name)
  if (Array.isArray(value)) {
    // An array of Java is a list here, and the members of a list have no length.
    if (name === "length" && !value.some((member) => member instanceof GremlinMap)) return value.length
    // As in Groovy, a null has no property. `list*.name` keeps it.
    return value.filter((member) => member !== null).map((member) => readMember(member, name))
  }
  const member = temporalMember(value, name)
  if (member !== undefined) return member
  throw new OperandError(
    `${typeName(value)} has no property ${name}; a method is called with parentheses: ${name}()`,
    "MissingPropertyException",
    `No such property: ${name} for class: ${javaClassName(typeName(value))}`
  )
}

/** The part of a list or string that a range names. */
const ranged = (items: string | readonly unknown[], range: RangeList, budget: Budget): unknown => {
  const { from, isReverse, to } = range.bordersIn(items.length, typeof items === "string")
  const part = items.slice(from, to)
  if (typeof part !== "string") return budget.list(isReverse ? part.toReversed() : part)
  return budget.string(isReverse ? reversed(part) : part)
}

/** The member of a set at an index; null outside of it, as in Groovy. The set is not copied. */
const nthOf = (set: GremlinSet, index: number): unknown => {
  let rest = index < 0 ? index + set.size : index
  for (const member of set) if (rest-- === 0) return member
  return null
}

/** True for an index of a member of a list that has members of its own. */
export const isIndex = (index: number, list: readonly unknown[]): boolean =>
  !(list instanceof MapValues) && (index | 0) === index && index >= 0 && index < list.length

/** The value of `x[index]`. Negative indexes count from the end; an index after the end returns null. Fails with OperandError. */
export const readIndex = (value: unknown, index: unknown, budget: Budget): unknown => {
  if (typeof index === "number" && Array.isArray(value) && isIndex(index, value)) return value[index] ?? null
  if (value instanceof GremlinMap) return value.get(budget.key(index)) ?? null
  if (value instanceof Tree) return value.children.get(budget.key(index)) ?? null
  if (value instanceof GremlinSet || value instanceof BulkSet || value instanceof MapValues) budget.visited(value)
  if (value instanceof GremlinSet && !Array.isArray(index)) return nthOf(value, asIndex(index))
  if (value instanceof GremlinSet || value instanceof BulkSet)
    return readIndex(membersOf(value, "[...]"), index, budget)
  // The bytes of Java have a sign.
  if (value instanceof Uint8Array) return new Byte((value[withinArray(asIndex(index), value.length)]! << 24) >> 24)
  if (typeof value === "string" || Array.isArray(value) || value instanceof Path) {
    const items: string | readonly unknown[] = value instanceof Path ? value.objects : value
    if (index instanceof RangeList) return ranged(items, index, budget)
    if (!Array.isArray(index)) {
      return positioned(items, items instanceof JavaArray ? withinArray(asIndex(index), items.length) : asIndex(index))
    }
    const chosen: Array<unknown> = []
    for (const at of index) {
      if (!(at instanceof RangeList)) chosen.push(positioned(items, asIndex(at)))
      else for (const each of ranged(items, at, budget) as Iterable<unknown>) chosen.push(each)
    }
    budget.list(chosen)
    budget.members(chosen)
    return typeof value === "string" ? budget.string(chosen.join("")) : chosen
  }
  if (value instanceof ScriptMatcher) {
    const match = value.matchAt(asIndex(index), budget)
    if (match === undefined)
      throw new OperandError(`index ${asIndex(index)} is out of bounds for the matches`, "IndexOutOfBoundsException")
    return match.groups.length === 1 ? match.groups[0] : [...match.groups]
  }
  throw new OperandError(`[...] needs a list, a map, a string or a path before it, not ${typeName(value)}`)
}
