/** The shortest big-endian two's complement of an integer, as java.math.BigInteger.toByteArray gives it. */
export const bigIntegerBytes = (value: bigint): Uint8Array => {
  // The complement of a negative number has the bits that its two's complement needs, one for the sign aside.
  const magnitude = (value < 0n ? ~value : value).toString(16)
  const high = Number.parseInt(magnitude[0]!, 16)
  const bits = (magnitude.length - 1) * 4 + (32 - Math.clz32(high)) + 1
  const length = Math.ceil(bits / 8)
  const digits = BigInt.asUintN(length * 8, value).toString(16)
  return Buffer.from(digits.padStart(length * 2, "0"), "hex")
}

/** The integer of a big-endian two's complement; no bytes are 0. */
export const bigIntegerOfBytes = (bytes: Buffer, from: number, end: number): bigint => {
  if (from === end) return 0n
  const value = BigInt(`0x${bytes.toString("hex", from, end)}`)
  return BigInt.asIntN((end - from) * 8, value)
}
