import type { Figures } from "../../services/Diagnostics.ts"

/** `1.500 s`. */
export const seconds = (millis: number): string => `${(millis / 1000).toFixed(3)} s`

/** `20 MB`. */
export const megabytes = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MB`

/** The figures of a server as lines of the command `status`. */
export const statusLines = (figures: Figures): ReadonlyArray<string> => {
  const { lanes, queued, refused, running, size } = figures.pool
  return [
    `uptime: ${seconds(figures.uptimeMs)}`,
    `request pool: ${running} of ${size} running on ${lanes} lanes, ${queued} queued, ${refused} refused`,
    `sessions: ${figures.sessions}`,
    `connections: ${figures.connections}`,
    `memory: ${megabytes(figures.residentBytes)} resident, ${megabytes(figures.heapBytes)} heap`,
    ...figures.faults.map((reason) => `fault: ${reason}`)
  ]
}
