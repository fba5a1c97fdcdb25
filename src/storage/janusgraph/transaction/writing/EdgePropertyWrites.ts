import type { Ref } from "../../../../structure/elements/Element.ts"
import { ElementNotFound } from "../../../../structure/errors/StoreErrors.ts"
import { checkValue } from "../../../shared/PropertyWrites.ts"
import { visible } from "../../rows/VisibleValues.ts"
import { typedValue } from "../../schema/TypeInference.ts"
import { checkClientKey } from "../../schema/TypeNames.ts"
import type { WritingState } from "./WritingState.ts"

/** Writes the properties of edges in a transaction. */
export class EdgePropertyWrites {
  readonly #state: WritingState

  constructor(state: WritingState) {
    this.#state = state
  }

  /** Sets a property, or removes it for null. Returns the value as clients see it; undefined if the edge has no such property now. */
  set(ref: Ref, name: string, value: unknown): unknown {
    checkClientKey(name)
    checkValue(name, value)
    if (!this.#state.reading.hasEdge(ref))
      throw new ElementNotFound(`The edge that gets the property ${name} was removed.`)
    if (value === null || value === undefined) {
      this.remove(ref, name)
      return undefined
    }
    const key = this.#state.typing.key(name, value, null, this.#state.open())
    if (key === undefined) return undefined
    const type = this.#state.reading.edges.type(ref)
    this.#state.rules.checkEdgeChange(ref)
    this.#state.rules.checkEdgeProperty(type, key)
    const typed = typedValue(key, value)
    this.#state.setEdgeValue(ref, key, typed)
    return visible(typed)
  }

  /** Removes a property, if the edge has it. */
  remove(ref: Ref, name: string): void {
    const reading = this.#state.reading
    if (!reading.hasEdge(ref) || reading.edgeValue(ref, name) === undefined) return
    this.#state.rules.checkEdgeChange(ref)
    const key = reading.schema.keys.get(name) ?? reading.own?.newKeys.get(name)
    this.#state.setEdgeValue(ref, key!, undefined)
  }
}
