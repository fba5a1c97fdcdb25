/** What a driver cannot read. The server then writes values in an older form. */
export interface DriverLimits {
  /** The driver misreads elements with properties in GraphBinary. */
  readonly referencesOnly: boolean
  /** The driver has no OffsetDateTime, the type of datetime(): it reads only Date. */
  readonly datesOnly: boolean
}

/** The limits of drivers that read everything, and of all programs that do not name themselves. */
const noLimits: DriverLimits = { referencesOnly: false, datesOnly: false }

const datesOnly: DriverLimits = { referencesOnly: false, datesOnly: true }
const referencesAndDates: DriverLimits = { referencesOnly: true, datesOnly: true }

/** The driver of Java reads OffsetDateTime in all its versions. */
const withoutOffsetDateTime = /\bGremlin-(Python|Go|Dotnet|Javascript)\.3\.([0-7])\./i

/** The last version 3.x of drivers that skip a fixed number of bytes for properties. The driver of .NET reads and discards them. */
const LAST_WITH_REFERENCES = 6

/** The limits of the driver that sent this User-Agent. */
export const driverLimits = (userAgent: string | undefined): DriverLimits => {
  const found = userAgent === undefined ? null : withoutOffsetDateTime.exec(userAgent)
  if (found === null) return noLimits
  const [, language, version] = found
  return language!.toLowerCase() !== "dotnet" && Number(version) <= LAST_WITH_REFERENCES
    ? referencesAndDates
    : datesOnly
}
