import { Edge, Vertex } from "../../../structure/elements/Element.ts"
import { resolve } from "../../language/Operand.ts"
import type { Activation } from "../../plan/Activation.ts"

/** The ids of V(...) in this run: an element is replaced by its id, a list by its members. */
export const identifiers = (ids: readonly unknown[], activation: Activation): Array<unknown> => {
  const out: Array<unknown> = []
  const add = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(add)
    else if (value instanceof Vertex || value instanceof Edge) out.push(value.id)
    else if (value !== null && typeof value === "object" && Symbol.iterator in value)
      for (const item of value as Iterable<unknown>) add(item)
    else out.push(value)
  }
  for (const id of ids) add(resolve(id, activation.run))
  return out
}
