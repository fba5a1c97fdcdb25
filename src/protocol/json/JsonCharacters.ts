/** Codes of the characters that have a meaning in JSON. */
const TAB = 9
export const LINE_FEED = 10
const CARRIAGE_RETURN = 13
const SPACE = 32
export const QUOTE = 34
export const PLUS = 43
export const COMMA = 44
export const MINUS = 45
export const DOT = 46
export const DIGIT_0 = 48
export const DIGIT_9 = 57
export const COLON = 58
export const LETTER_UPPER_E = 69
export const OPEN_BRACKET = 91
export const BACKSLASH = 92
export const CLOSE_BRACKET = 93
export const LETTER_E = 101
export const LETTER_U = 117
export const OPEN_BRACE = 123
export const CLOSE_BRACE = 125

/** True for the white space of JSON. */
export const isBlank = (code: number): boolean =>
  code === SPACE || code === LINE_FEED || code === CARRIAGE_RETURN || code === TAB
