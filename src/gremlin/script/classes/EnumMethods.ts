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

const converted = (value: EnumValue): EnumValue => {
  if (value.enumName === "Cardinality") return value
  throw new Unavailable(`only a Cardinality has convert(), not ${value.enumName}.${value.name}`)
}

/** Methods of the constants of Gremlin's enumerations. */
export const enumMethods: Methods = {
  name: [0, 0, (value) => nameOf(value as EnumValue)],
  // JanusGraph's Cardinality gives TinkerPop's. Scripts have one constant for both.
  convert: [0, 0, (value) => converted(value as EnumValue)]
}
