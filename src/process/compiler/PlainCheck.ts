import { GremlinMap } from "../../structure/collections/Collections.ts"
import { EnumValue } from "../../structure/scalars/Enums.ts"
import { Binding, Bytecode, Lambda, StrategySpec, Variable } from "../language/Bytecode.ts"
import { ClosureSource } from "../language/Closure.ts"
import { ConnectiveP, NotP, P } from "../language/Predicate.ts"

/** Limit of the members of all collections in a traversal that are checked without a yield. */
export const MAX_UNYIELDED_MEMBERS = 32_768

/** Distinguishes values that are data from those that are part of the plan, up to a limit of visited members. */
export class PlainCheck {
  /** Members that may still be visited. */
  #left: number

  /** @param members Limit of the members that are visited. */
  constructor(members: number) {
    this.#left = members
  }

  /** Whether a value is data and not part of the plan. False if it exceeds the limit. */
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
        value instanceof ClosureSource ||
        value instanceof StrategySpec ||
        value instanceof Variable ||
        value instanceof Binding ||
        (Array.isArray(value) && !this.#isPlainList(value)) ||
        (value instanceof GremlinMap && this.holdsTraversal(value))
      )
    )
  }

  /** Whether a map contains a traversal or a variable. True if it exceeds the limit. */
  holdsTraversal(map: GremlinMap): boolean {
    this.#left -= map.size
    if (this.#left < 0) return true
    for (const [key, value] of map) if (this.#isOpen(key) || this.#isOpen(value)) return true
    return false
  }

  /**
   * A copy of a map with its variables replaced by their values, which is data, as for mergeV([uid: x]). Undefined if a variable
   * has no value, or if the map has a member that is part of the plan.
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

  /** The value of a member of a map; undefined for nested lists and maps with variables, which are part of the plan. */
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
