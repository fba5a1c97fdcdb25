import type { Bytecode } from "../process/language/Bytecode.ts"
import { HostConstant } from "../structure/collections/HostConstant.ts"
import type { EnumValue } from "../structure/scalars/Enums.ts"
import type { Script } from "./Script.ts"
import { substituteBytecode } from "./script/arguments/Substitution.ts"

/** The constant that a name of a script without variables means in a traversal. Undefined for a name that none has. */
export const constantNamed = ({ constants }: Script, name: string): EnumValue | undefined => {
  const constant = constants.get(name)
  return constant instanceof HostConstant ? constant.ofGremlin : constant
}

/** A part of a script without variables, with the constants that its names mean. Throws an Error for a name that none has. */
export const withConstants = (script: Script, bytecode: Bytecode): Bytecode =>
  substituteBytecode(bytecode, ({ name }) => {
    const constant = constantNamed(script, name)
    if (constant !== undefined) return constant
    throw new Error(
      name.startsWith("#") ? "its values are written out, not calculated" : `there is no variable or constant ${name}`
    )
  })
