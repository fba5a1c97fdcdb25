import { dateOfTimestamp } from "../../../structure/times/Dates.ts"
import type { Timestamp } from "../../../structure/times/Temporal.ts"
import type { Method, Methods } from "../methods/MethodTable.ts"

const reading = (part: (date: Date) => number): Method => [0, 0, (value: Timestamp) => part(dateOfTimestamp(value))]

/** The parts of a java.util.Date in UTC: as in Java, the year is counted from 1900, and the month from 0. */
export const datePartMethods: Methods = {
  getYear: reading((date) => date.getUTCFullYear() - 1900),
  getMonth: reading((date) => date.getUTCMonth()),
  getDate: reading((date) => date.getUTCDate()),
  getDay: reading((date) => date.getUTCDay()),
  getHours: reading((date) => date.getUTCHours()),
  getMinutes: reading((date) => date.getUTCMinutes()),
  getSeconds: reading((date) => date.getUTCSeconds()),
  getTimezoneOffset: [0, 0, () => 0]
}
