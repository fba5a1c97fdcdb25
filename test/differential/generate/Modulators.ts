import { type Call, call, constant, text } from "../syntax/Traversal.ts"
import type { Scope } from "./Scope.ts"
import { ANY, isElement, isMap, keyOf, NUMBER, STRING, type Type, valueOfEntry } from "./Types.ts"

/** A by() and the type of its results. */
export interface Modulated {
  readonly calls: ReadonlyArray<Call>
  readonly type: Type
}

/** Draws a by() for values of a type. */
export const by = (scope: Scope, type: Type): Modulated => {
  const choice = scope.below(100)
  if (isElement(type) && choice < 50) {
    const key = scope.key(type)
    return { calls: [call("by", text(key.name))], type: key.type }
  }
  if (isElement(type) && choice < 62) {
    return scope.chance(0.5)
      ? { calls: [call("by", constant("T", "id"))], type: NUMBER }
      : { calls: [call("by", constant("T", "label"))], type: STRING }
  }
  if ((isMap(type) || type.kind === "entry") && choice < 50) {
    const value = valueOfEntry(type)
    if (isMap(type) && scope.chance(0.4))
      return { calls: [call("by", text(scope.one(["a", "b", "name"])))], type: value }
    return scope.chance(0.5)
      ? { calls: [call("by", constant("Column", "keys"))], type: keyOf(type) }
      : { calls: [call("by", constant("Column", "values"))], type: value }
  }
  if (scope.depth <= 0 || choice > 92) return { calls: [call("by")], type }
  const { child, type: given } = scope.child(type, 2)
  return { calls: [call("by", child)], type: given }
}

/** Draws 0 to `most` by(). */
export const bys = (scope: Scope, type: Type, most: number): ReadonlyArray<Modulated> =>
  Array.from({ length: scope.below(most + 1) }, () => by(scope, type))

const orders = ["asc", "desc"] as const

/** Draws a by() of order(). Half of them have a direction. */
export const orderBy = (scope: Scope, type: Type): ReadonlyArray<Call> => {
  if (scope.chance(0.3)) return [call("by", constant("Order", scope.one(orders)))]
  const { calls } = by(scope, type)
  const [first] = calls
  if (first === undefined || first.args.length === 0 || scope.chance(0.5)) return calls
  return [call("by", ...first.args, constant("Order", scope.one(orders)))]
}

/** The result type of the modulator at an index, if steps use modulators in turn; `otherwise` without modulators. */
export const typeInTurn = (modulated: ReadonlyArray<Modulated>, index: number, otherwise: Type): Type =>
  modulated.length === 0 ? otherwise : (modulated[index % modulated.length]?.type ?? ANY)
