/** Number of arguments in one call of String.fromCharCode. JavaScript engines limit the number of arguments. */
const CALL_UNITS = 4096

/** Converts the first `length` UTF-16 code units to a string. */
export const stringOfUnits = (units: Uint16Array, length: number): string => {
  let result = ""
  for (let at = 0; at < length; at += CALL_UNITS) {
    result += String.fromCharCode(...units.subarray(at, Math.min(at + CALL_UNITS, length)))
  }
  return result
}
