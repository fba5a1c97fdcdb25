import { GremlinMap } from "../../structure/Collections.ts"
import { EnumValue } from "../../structure/Enums.ts"
import { Binding, Bytecode, Lambda, StrategySpec, Variable } from "../language/Bytecode.ts"
import { ConnectiveP, NotP, P } from "../language/Predicate.ts"

/** Members of all lists and maps of a traversal that are looked at in one turn. */
export const MEMBERS_AT_ONCE = 32_768

/** Tells values that are data from those that are a part of the plan, as long as they have few enough members. */
export class PlainCheck {
  /** Members that may still be looked at. */
  #left: number

  constructor(members: number) {
    this.#left = members
  }

  /** True for a value that is data to a plan, never structure; false where there are more members than may be looked at. */
  isPlain(value: unknown): boolean {
    return (
      typeof value !== "object" ||
      value === null ||
      !(
        value instanceof P ||
        value instanceof ConnectiveP ||
        value instanceof NotP ||
        value instanceof Bytecode ||
        value instanceof EnumValue ||
        value instanceof Lambda ||
        value instanceof StrategySpec ||
        value instanceof Variable ||
        value instanceof Binding ||
        (Array.isArray(value) && !this.#isPlainList(value)) ||
        (value instanceof GremlinMap && this.holdsTraversal(value))
      )
    )
  }

  /** True for a map with a traversal, which is a part of the plan, or a variable, which is replaced by its value. */
  holdsTraversal(map: GremlinMap): boolean {
    this.#left -= map.size
    if (this.#left < 0) return true
    for (const [key, value] of map) if (this.#isOpen(key) || this.#isOpen(value)) return true
    return false
  }

  /**
   * A map with the values of the variables that are written in it, as mergeV([uid: x]) has it: such a map is data. Undefined
   * when one has no value, or when something in the map is a part of the plan.
   */
  filled(map: GremlinMap, variables: ReadonlyMap<string, unknown> | null): GremlinMap | undefined {
    const out = new GremlinMap()
    for (const [key, value] of map) {
      const name = this.#memberOf(key, variables)
      const whole = this.#memberOf(value, variables)
      if (name === undefined || whole === undefined) return undefined
      out.set(name, whole)
    }
    return out
  }

  /** The value of a member of a map; lists and maps in it that have variables are left to the plan. */
  #memberOf(member: unknown, variables: ReadonlyMap<string, unknown> | null): unknown {
    const value =
      member instanceof Variable ? variables?.get(member.name) : member instanceof Binding ? member.value : member
    const isData = !this.#isOpen(value) && (value instanceof EnumValue || this.isPlain(value))
    return isData ? value : undefined
  }

  #isPlainList(list: ReadonlyArray<unknown>): boolean {
    this.#left -= list.length
    return this.#left >= 0 && list.every((member) => this.isPlain(member))
  }

  #isOpen(value: unknown): boolean {
    return (
      value instanceof Bytecode ||
      value instanceof Variable ||
      value instanceof Binding ||
      (Array.isArray(value) && this.#isOpenList(value)) ||
      (value instanceof GremlinMap && this.holdsTraversal(value))
    )
  }

  #isOpenList(list: ReadonlyArray<unknown>): boolean {
    this.#left -= list.length
    return this.#left < 0 || list.some((member) => this.#isOpen(member))
  }
}
