/** Texts of Double and Float as in Java (Double.toString), for asString(), text/plain and messages. */

/** A Double as text: at least one digit after the point, exponents outside [0.001, 10^7): `1.0`, `1.0E10`, `1.0E-5`. */
export const doubleText = (value: number): string => {
  if (!Number.isFinite(value)) return nonFiniteText(value)
  if (value === 0) return 1 / value < 0 ? "-0.0" : "0.0"
  return layOut(value, value.toExponential())
}

/** A Float as text: the shortest digits that read back as the same Float, laid out as {@link doubleText} does. */
export const floatText = (value: number): string => {
  if (!Number.isFinite(value)) return nonFiniteText(value)
  if (value === 0) return 1 / value < 0 ? "-0.0" : "0.0"
  for (let digits = 0; digits < 8; digits++) {
    const text = value.toExponential(digits)
    if (Math.fround(Number(text)) === value) return layOut(value, text)
  }
  return layOut(value, value.toExponential(8))
}

const nonFiniteText = (value: number): string => (Number.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity")

/** Lays out the digits of `d.ddde±x`, which `toExponential` gives, the Java way. */
const layOut = (value: number, exponential: string): string => {
  const e = exponential.indexOf("e")
  const exponent = Number(exponential.slice(e + 1))
  const sign = value < 0 ? "-" : ""
  const digits = exponential.slice(sign.length, e).replace(".", "")
  if (exponent < -3 || exponent >= 7) {
    const fraction = digits.length > 1 ? digits.slice(1) : "0"
    return `${sign}${digits[0]}.${fraction}E${exponent}`
  }
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0")
  return `${sign}${whole}.${digits.slice(exponent + 1) || "0"}`
}
