import { HostConstant } from "../structure/collections/HostConstant.ts"
import type { EnumValue } from "../structure/scalars/Enums.ts"
import type { Script } from "./Script.ts"

/** The constant that a name of a script without variables means in a traversal. Undefined for a name that none has. */
export const constantNamed = ({ constants }: Script, name: string): EnumValue | undefined => {
  const constant = constants.get(name)
  return constant instanceof HostConstant ? constant.ofGremlin : constant
}
