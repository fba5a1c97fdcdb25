import type { Uuid } from "../../../structure/scalars/Uuid.ts"
import type { Methods } from "../methods/MethodTable.ts"

/** A half of a UUID as a Long. */
const half = ({ text }: Uuid, from: number): bigint =>
  BigInt.asIntN(64, BigInt(`0x${text.replaceAll("-", "").slice(from, from + 16)}`))

/** Methods of UUIDs. */
export const uuidMethods: Methods = {
  getMostSignificantBits: [0, 0, (value: Uuid) => half(value, 0)],
  getLeastSignificantBits: [0, 0, (value: Uuid) => half(value, 16)],
  version: [0, 0, (value: Uuid) => Number((half(value, 0) >> 12n) & 15n)]
}
