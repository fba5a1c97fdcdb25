import { Kind } from "../../process/language/Kinds.ts"
import { GremlinMap, GremlinSet } from "../../structure/collections/Collections.ts"
import { ClassName } from "../../structure/scalars/ClassNames.ts"
import { SpreadExpression } from "../ProgramExpressions.ts"
import { Calculated, type Expression, MapExpression, type Operand, SetExpression } from "../Script.ts"
import { namedClasses, primitiveClasses, shorts } from "./Names.ts"

/** A class by a name that is also a constant of GType: `UUID` or `int`, without `.class`. */
export class AmbiguousClass extends ClassName {
  readonly written: string
  constructor(className: string, written: string) {
    super(className)
    this.written = written
  }
}

/** True for the name of a class that scripts know. */
export const isClassWord = (name: string): boolean => namedClasses.has(name) || primitiveClasses.has(name)

/**
 * An argument of a step in which the bare members of a literal are types, as in gremlin-lang: `[int, UUID]`. Parts of an expression remain
 * classes, as in Groovy: `v.class in [UUID]`.
 */
export const withTypes = (value: Operand): Operand => {
  if (Array.isArray(value)) return value.map(typed)
  if (value instanceof GremlinMap) {
    const map = new GremlinMap()
    value.forEach((item, key) => {
      map.set(typed(key), typed(item))
    })
    return map
  }
  if (value instanceof GremlinSet) return new GremlinSet([...value].map(typed))
  if (value instanceof SetExpression) return new SetExpression(value.position, value.items.map(typed))
  if (value instanceof SpreadExpression)
    return new SpreadExpression(value.position, withTypes(value.operand), value.isMap)
  if (value instanceof MapExpression) {
    return new MapExpression(
      value.position,
      value.entries.map(([key, item]) => [typed(key), typed(item)])
    )
  }
  return value
}

/** A member of a literal. */
const typed = (value: unknown): unknown => {
  if (value instanceof AmbiguousClass) return shorts.get(value.written)!.find(({ kind }) => kind === Kind.GType)!.value
  if (!(value instanceof Calculated)) return withTypes(value)
  const { expression } = value
  return isLiteral(expression) ? new Calculated(withTypes(expression) as typeof expression) : value
}

const isLiteral = (expression: Expression): boolean =>
  expression instanceof SetExpression || expression instanceof MapExpression || expression instanceof SpreadExpression
