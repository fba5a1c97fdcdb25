/** The member of the objects that stand for long numbers while a text is parsed. */
const LONG = "#long"

/** A text or a number. */
const SCALARS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** A whole number that a Number may round. */
const isLong = (token: string): boolean => /^-?\d{16,}$/.test(token)

/** Parses JSON. Whole numbers with so many digits that a Number may round them become bigints. Throws SyntaxError. */
export const parseExact = (json: string): unknown =>
  JSON.parse(
    json.replace(SCALARS, (token) => (isLong(token) ? `{"${LONG}":"${token}"}` : token)),
    (_, value: unknown) =>
      typeof value === "object" && value !== null && LONG in value ? BigInt(String(value[LONG])) : value
  )
