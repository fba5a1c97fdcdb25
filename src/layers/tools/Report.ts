import { nextTurn } from "../../scheduling/NextTurn.ts"
import type { SharedNames } from "../../services/TakenNames.ts"

/** What the reports of commands count, with its plural. */
const plurals = {
  vertex: "vertices",
  edge: "edges",
  row: "rows",
  cell: "cells",
  entry: "entries",
  "index entry": "index entries",
  document: "documents",
  "more document": "more documents",
  comparison: "comparisons",
  finding: "findings",
  value: "values"
} as const

/** The progress of a command. */
export interface ProgressState {
  /** The current work: `people.csv`, `edges`. */
  readonly stage: string
  readonly done: number
  /** Undefined when the total is unknown. */
  readonly total: number | undefined
  readonly unit: "bytes" | keyof typeof plurals
  /** More details: `1,200 vertices, 34,000 edges`. */
  readonly note: string
}

/** Receives the progress of a command. Calls may be frequent. */
export type Report = (state: ProgressState) => void

/** The context of a command. */
export interface ToolContext {
  readonly report: Report
  /** Aborted when the command must stop, because the client disconnected or the server shuts down. */
  readonly signal: AbortSignal
  /** True when other clients use the graph: work is done in small pieces. */
  readonly shared: boolean
  /** The files that other workers of the server import; undefined in a server of one process. */
  readonly imports?: SharedNames | undefined
}

/** A command failed. The message is for its user. */
export class ToolFailure extends Error {
  readonly _tag = "ToolFailure"
}

/** Whether the code of an error means that a compressed file cannot be decompressed. */
export const isDecompression = (code: string): boolean => code.startsWith("Z_")

/** Yields to the event loop. Throws ToolFailure when the command must stop. */
export const pause = async (signal: AbortSignal): Promise<void> => {
  await nextTurn()
  if (signal.aborted) throw new ToolFailure("The command was stopped.")
}

/** A number with thousands separators: `1,234,567`. */
export const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ",")

/** `1 vertex`, `2,000 vertices`. */
export const counted = (count: number, kind: keyof typeof plurals): string =>
  `${grouped(count)} ${count === 1 ? kind : plurals[kind]}`

/** A size with a unit: `12.3 MB`. */
export const sized = (bytes: number): string => {
  const units = ["bytes", "kB", "MB", "GB", "TB"]
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`
}
