import type { Script } from "../Script.ts"
import type { ErrorPositions } from "../script/objects/ErrorPositions.ts"

/** A local variable of a body, as the compiler knows it. */
export interface Local {
  readonly name: string
  /** Its index among `Frame.locals`. */
  readonly index: number
  /** The type to which assigned values are converted; empty without one. */
  readonly type: string
  /** True when a closure uses the variable, so that it is in a box. May become true until the whole body is compiled. */
  isBoxed: boolean
  /** Shared by the variable and its captures. `isReassigned` is true when an assignment after the declaration changes the value. */
  readonly changes: { isReassigned: boolean }
}

/** What the bodies of one script share. */
export interface Unit {
  readonly script: Script
  readonly positions: ErrorPositions
}

/**
 * The local variables that are visible at the point of a body that the compiler has reached. As in Groovy, a name is declared
 * once among a block and the blocks around it. A closure sees the variables around it; a function sees none.
 */
export class Names {
  readonly unit: Unit
  /** The names around the closure; undefined for a script and a function. */
  readonly outer: Names | undefined
  /** Variables of the outer body that this body uses, with their variables here. */
  readonly captured: Array<{ readonly outer: Local; readonly inner: Local }> = []
  readonly #blocks: Array<Map<string, Local>> = [new Map()]
  readonly #boxesAll: boolean
  #count = 0

  /** @param boxesAll puts every variable into a box, for a body whose first statements run before its last ones are compiled */
  constructor(unit: Unit, outer?: Names, boxesAll = false) {
    this.unit = unit
    this.outer = outer
    this.#boxesAll = boxesAll
  }

  /** Number of variables that the body has so far, those of all of its blocks. */
  get count(): number {
    return this.#count
  }

  /** Begins a block; {@link leave} ends it. */
  enter(): void {
    this.#blocks.push(new Map())
  }

  leave(): void {
    this.#blocks.pop()
  }

  /** Declares a variable of the block. Fails when its name is declared already. */
  declare(name: string, type: string, position: number): Local {
    if (this.find(name) !== undefined) {
      throw this.unit.positions.failure(`there is already a variable ${name} here: use another name`, position)
    }
    return this.#add(name, type, this.#boxesAll)
  }

  /** Declares a variable that hides one of the same name around the closure, as the `it` of a closure inside a closure does. */
  shadow(name: string): Local {
    return this.#add(name, "", this.#boxesAll)
  }

  #add(name: string, type: string, isBoxed: boolean): Local {
    const local: Local = { name, index: this.#count++, type, isBoxed, changes: { isReassigned: false } }
    this.#blocks.at(-1)!.set(name, local)
    return local
  }

  /** The variable of this name; undefined when neither the body nor a body around it declares the name. */
  find(name: string): Local | undefined {
    for (let at = this.#blocks.length - 1; at >= 0; at--) {
      const local = this.#blocks[at]!.get(name)
      if (local !== undefined) return local
    }
    const outer = this.outer?.find(name)
    if (outer === undefined) return undefined
    outer.isBoxed = true
    const { changes, type } = outer
    const inner: Local = { name, index: this.#count++, type, isBoxed: true, changes }
    this.#blocks[0]!.set(name, inner)
    this.captured.push({ outer, inner })
    return inner
  }
}
