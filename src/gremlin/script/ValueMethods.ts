import { GremlinMap, GremlinSet, MapEntry } from "../../structure/Collections.ts"
import { compare } from "../../structure/Comparison.ts"
import { Edge, isElement, Property, VertexProperty } from "../../structure/Element.ts"
import { isNumber } from "../../structure/Numbers.ts"
import { Path } from "../../structure/Path.ts"
import { ClassName } from "../../structure/Temporal.ts"
import { typeName } from "../../structure/TypeNames.ts"
import { Optional, ScriptIterator } from "../Scope.ts"
import { type Budget, membersOf, OperandError } from "./Budget.ts"
import { listMethods, mapMethods, memberMethods, setMethods } from "./CollectionMethods.ts"
import {
  edgeMethods,
  elementMethods,
  entryMethods,
  pathMethods,
  propertyMethods,
  vertexPropertyMethods
} from "./ElementMethods.ts"
import { asIndex, type Method, type Methods } from "./MethodTable.ts"
import { binary } from "./Operators.ts"
import { numberMethods, stringMethods } from "./TextMethods.ts"

// Methods that scripts may call on values: those of Java's and Groovy's strings, numbers and collections and of Gremlin's
// elements that existing scripts use. None of them runs code of a script, so there are no closures.

const toStringMethod: Method = [0, 0, (value: unknown, _, budget) => budget.text(value)]

const anyMethods: Methods = {
  toString: toStringMethod,
  getClass: [0, 0, (value: unknown) => new ClassName(typeName(value))],
  equals: [1, 1, (value: unknown, [other], budget) => binary("==", value, other, budget)],
  compareTo: [
    1,
    1,
    (value: unknown, [other]) => {
      const result = compare(value, other)
      if (result === undefined) throw new OperandError(`${typeName(value)} and ${typeName(other)} have no order`)
      return Math.sign(result)
    }
  ]
}

const optionalMethods: Methods = {
  isPresent: [0, 0, (value: Optional) => value.value !== undefined],
  isEmpty: [0, 0, (value: Optional) => value.value === undefined],
  get: [
    0,
    0,
    (value: Optional) => {
      if (value.value === undefined) throw new OperandError("No value present: the traversal had no result")
      return value.value
    }
  ],
  orElse: [1, 1, (value: Optional, [other]) => (value.value === undefined ? other : value.value)]
}

const iteratorMethods: Methods = {
  hasNext: [0, 0, (value: ScriptIterator) => value.hasNext],
  next: [
    0,
    0,
    (value: ScriptIterator) => {
      if (!value.hasNext) throw new OperandError("the iterator has no further value: ask hasNext() first")
      return value.next()
    }
  ],
  toList: [0, 0, (value: ScriptIterator) => value.rest()],
  toSet: [0, 0, (value: ScriptIterator, _, budget) => new GremlinSet(budget.list(value.rest()))],
  size: [0, 0, (value: ScriptIterator) => value.rest().length],
  iterator: [0, 0, (value: ScriptIterator) => value]
}

const methodsOf = (value: unknown): Methods => {
  if (typeof value === "string") return stringMethods
  if (isNumber(value)) return numberMethods
  if (Array.isArray(value)) return listMethods
  if (value instanceof GremlinMap) return mapMethods
  if (value instanceof GremlinSet) return setMethods
  if (value instanceof VertexProperty) return vertexPropertyMethods
  if (value instanceof Edge) return edgeMethods
  if (isElement(value)) return elementMethods
  if (value instanceof Property) return propertyMethods
  if (value instanceof Path) return pathMethods
  if (value instanceof MapEntry) return entryMethods
  if (value instanceof Optional) return optionalMethods
  if (value instanceof ScriptIterator) return iteratorMethods
  try {
    membersOf(value, "")
    return memberMethods
  } catch {
    return anyMethods
  }
}

/** Calls a method of a value. Fails with OperandError for an unknown method or wrong arguments. */
export const callMethod = (value: unknown, name: string, args: readonly unknown[], budget: Budget): unknown => {
  const methods = methodsOf(value)
  const found = Object.hasOwn(methods, name)
    ? methods[name]
    : Object.hasOwn(anyMethods, name)
      ? anyMethods[name]
      : undefined
  if (found === undefined) {
    const known = [...new Set([...Object.keys(methods), "toString", "equals"])].sort().join(", ")
    throw new OperandError(`${typeName(value)} has no method ${name}() in scripts; it has ${known}`)
  }
  const [least, most, method] = found
  if (args.length < least || args.length > most) {
    const wanted = least === most ? `${least}` : `${least} to ${most}`
    throw new OperandError(`${name}() of ${typeName(value)} takes ${wanted} arguments, not ${args.length}`)
  }
  return method(value as never, args, budget) ?? null
}

/** The value of `x.name`: an entry of a map, or a field of an entry, element or property. Fails with OperandError. */
export const readMember = (value: unknown, name: string): unknown => {
  if (value instanceof GremlinMap) return value.get(name) ?? null
  if (name === "class") return new ClassName(typeName(value))
  const parts = value instanceof MapEntry ? ["key", "value"] : ["id", "label", "key", "value"]
  if ((value instanceof MapEntry || value instanceof Property || isElement(value)) && parts.includes(name)) {
    const found = (value as unknown as { readonly [name: string]: unknown })[name]
    if (found !== undefined) return found
  }
  throw new OperandError(`${typeName(value)} has no property ${name}; a method is called with parentheses: ${name}()`)
}

/** The value of `x[index]`. Negative indexes count from the end; an index outside gives null. Fails with OperandError. */
export const readIndex = (value: unknown, index: unknown, budget: Budget): unknown => {
  if (value instanceof GremlinMap) return value.get(index) ?? null
  if (typeof value === "string" || Array.isArray(value) || value instanceof Path) {
    const items: string | readonly unknown[] = value instanceof Path ? value.objects : value
    if (!Array.isArray(index)) return items.at(asIndex(index)) ?? null
    const chosen = budget.list(index.map((at) => items.at(asIndex(at)) ?? null))
    return typeof value === "string" ? budget.string(chosen.join("")) : chosen
  }
  throw new OperandError(`${typeName(value)} has no elements to choose by [...]`)
}
