// Parts of dates and times in ISO-8601, as java.time writes them.

/** A number in two digits: `07`. */
export const twoDigits = (value: number): string => (value < 10 ? `0${value}` : String(value))

/** A year in at least four digits. A year after 9999 has a plus sign. */
export const yearText = (year: number): string => {
  if (year > 9999) return `+${year}`
  return year < 0 ? `-${String(-year).padStart(4, "0")}` : String(year).padStart(4, "0")
}

/** A date: `2020-01-31`. */
export const isoDate = (year: number, month: number, day: number): string =>
  `${yearText(year)}-${twoDigits(month)}-${twoDigits(day)}`

/**
 * A time of day: `10:15`, `10:15:30`, `10:15:30.500`. A fraction has three, six or nine digits.
 *
 * @param seconds seconds since midnight
 * @param nano nanoseconds inside the second
 * @param hasSeconds true: seconds are written also if they and the fraction are 0
 */
export const isoTime = (seconds: number, nano: number, hasSeconds: boolean): string => {
  const minutes = `${twoDigits(Math.floor(seconds / 3600))}:${twoDigits(Math.floor(seconds / 60) % 60)}`
  if (!hasSeconds && nano === 0 && seconds % 60 === 0) return minutes
  return `${minutes}:${twoDigits(seconds % 60)}${fractionText(nano)}`
}

const fractionText = (nano: number): string => {
  if (nano === 0) return ""
  const digits = String(nano).padStart(9, "0")
  return `.${digits.endsWith("000000") ? digits.slice(0, 3) : digits.endsWith("000") ? digits.slice(0, 6) : digits}`
}
