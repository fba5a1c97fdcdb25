import type { Temporal, TemporalName } from "../../structure/times/Temporal.ts"
import { noFields, type TemporalFields, temporalOfFields } from "../TemporalFields.ts"
import type { ByteReader } from "./ByteReader.ts"

/** Reads the fields of a java.time type. */
export const readTemporal = (reader: ByteReader, name: TemporalName): Temporal => {
  const fields = noFields()
  switch (name) {
    case "Instant":
      fields.epochSeconds = reader.long()
      fields.nanos = reader.int()
      break
    case "MonthDay":
      fields.month = reader.unsignedByte()
      fields.day = reader.unsignedByte()
      break
    case "Period":
      fields.year = reader.int()
      fields.month = reader.int()
      fields.day = reader.int()
      break
    case "Year":
      fields.year = reader.int()
      break
    case "YearMonth":
      fields.year = reader.int()
      fields.month = reader.unsignedByte()
      break
    default:
      readParts(reader, name, fields)
  }
  return temporalOfFields(name, fields)
}

/** The types that are made of a date, a time of day and an offset, or some of them. */
const readParts = (reader: ByteReader, name: TemporalName, fields: TemporalFields): void => {
  if (name === "LocalDate" || name.endsWith("DateTime")) {
    fields.year = reader.int()
    fields.month = reader.unsignedByte()
    fields.day = reader.unsignedByte()
  }
  if (name.endsWith("Time")) fields.nanoOfDay = reader.long()
  if (!name.startsWith("Local")) fields.offsetSeconds = reader.int()
}
