/** Codes of the errors of nodes: native_protocol_v4.spec of Apache Cassandra, section 9. */
export const nodeErrors = {
  server: 0x0000,
  badCredentials: 0x0100,
  unavailable: 0x1000,
  overloaded: 0x1001,
  bootstrapping: 0x1002,
  writeTimeout: 0x1100,
  readTimeout: 0x1200,
  readFailure: 0x1300,
  writeFailure: 0x1500,
  /** The first code of errors that a statement causes itself: syntax, permissions, invalid values, configuration. */
  firstOfStatements: 0x2000,
  unauthorized: 0x2100,
  invalid: 0x2200,
  /** A node has forgotten a prepared statement. */
  unprepared: 0x2500
} as const

/** The properties of the driver's errors that are read here. */
export interface DriverError {
  readonly name?: string
  readonly isSocketError?: boolean
  readonly requestNotWritten?: boolean
  readonly message?: string
  /** Of a node's answer: a number. Of a socket: a name. */
  readonly code?: number | string
  readonly innerErrors?: Readonly<Record<string, unknown>>
  /** Replicas that the consistency level asks for, and those that are up, of the error `unavailable`. */
  readonly required?: number
  readonly alive?: number
  /** Replicas that have answered, and those that the consistency level asks for, of time-outs. */
  readonly received?: number
  readonly blockFor?: number
}
