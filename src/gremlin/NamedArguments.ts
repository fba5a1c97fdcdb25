import { MapExpression, type Operand } from "./Script.ts"

/** `a: 1, b: 2` among the arguments of a call: as in Groovy they are one map, which is the first argument. */
export class NamedArguments extends MapExpression {
  readonly #named: Array<readonly [Operand, Operand]>
  constructor(position: number) {
    const named: Array<readonly [Operand, Operand]> = []
    super(position, named)
    this.#named = named
  }
  /** Adds an argument while the call is read. */
  add(key: Operand, value: Operand): void {
    this.#named.push([key, value])
  }
}
