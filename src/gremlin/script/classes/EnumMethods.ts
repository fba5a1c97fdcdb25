import type { EnumValue } from "../../../structure/scalars/Enums.ts"
import type { Methods } from "../methods/MethodTable.ts"
import { Unavailable } from "../values/OperandErrors.ts"

/** The name of a constant. Fails with Unavailable for a cardinality, whose constants TinkerPop and JanusGraph spell in two ways. */
const nameOf = ({ enumName, name }: EnumValue): string => {
  if (enumName !== "Cardinality") return name
  throw new Unavailable(
    `the name of a Cardinality is '${name}' in TinkerPop and '${name.toUpperCase()}' in JanusGraph: compare the constants by ==`
  )
}

/** Methods of the constants of Gremlin's enumerations. */
export const enumMethods: Methods = { name: [0, 0, (value) => nameOf(value as EnumValue)] }
