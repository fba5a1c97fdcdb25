import { ProtocolError } from "../ProtocolError.ts"
import type { KryoInput } from "./KryoInput.ts"
import { type KryoType, kryoTypes } from "./KryoTypes.ts"

const NULL = 0
const NAMED = 1

/**
 * Reads objects in Kryo 3's format with references: an object that was read before is referred to by its number. Each object graph
 * needs a new reader, because numbers start at 0.
 */
export class KryoReader {
  readonly input: KryoInput
  readonly #objects: Array<unknown> = []

  constructor(input: KryoInput) {
    this.input = input
  }

  /** The number of an object whose parts are read next. The parts may refer to it. */
  reserve(): number {
    this.#objects.push(undefined)
    return this.#objects.length - 1
  }
  assign(number: number, object: unknown): void {
    this.#objects[number] = object
  }

  /** An object of any class: the class, then the object. */
  classAndObject(): unknown {
    const id = this.input.varInt()
    if (id === NULL) return null
    if (id === NAMED)
      throw new ProtocolError("the file has objects of classes that it names, and none of these can be read")
    // 0 and 1 have other meanings, so classes count from 2.
    return this.#object(typeOf(id - 2), false)
  }

  /** An object of a known class. */
  object(type: number): unknown {
    return this.#object(typeOf(type), false)
  }
  objectOrNull(type: number): unknown {
    return this.#object(typeOf(type), true)
  }

  #object(type: KryoType, mayBeNull: boolean): unknown {
    if (!type.referenced) {
      if (mayBeNull && this.input.varInt() === NULL) return null
      return type.read(this, () => {})
    }
    const reference = this.input.varInt()
    if (mayBeNull && reference === NULL) return null
    if (reference !== 1) {
      const object = this.#objects[reference - 2]
      if (object === undefined)
        throw new ProtocolError(`a reference leads to object ${reference - 2}, which was not read`)
      return object
    }
    const number = this.reserve()
    const object = type.read(this, (early) => this.assign(number, early))
    this.assign(number, object)
    return object
  }
}

const typeOf = (id: number): KryoType => {
  const type = kryoTypes.get(id)
  if (type !== undefined) return type
  throw new ProtocolError(`the class with Gryo's id ${id} cannot be read`)
}
