/** How far a command has come. */
export interface ProgressState {
  /** What is being done: `people.csv`, `edges`. */
  readonly stage: string
  readonly done: number
  /** Undefined where the end is not known. */
  readonly total: number | undefined
  readonly unit: "bytes" | "vertices" | "edges" | "rows" | "cells"
  /** More in words: `1,200 vertices, 34,000 edges`. */
  readonly note: string
}

/** Takes the progress of a command; may be called as often as one likes. */
export type Report = (state: ProgressState) => void

/** What a command is given besides its request. */
export interface ToolContext {
  readonly report: Report
  /** Throws when the command is to stop: the client went away, or the server shuts down. */
  readonly signal: AbortSignal
  /** True where others use the graph at the same time: work is done in small pieces. */
  readonly shared: boolean
}

/** A command cannot be done; the message is for the person who gave it. */
export class ToolFailure extends Error {
  readonly _tag = "ToolFailure"
}

/** Lets other work of the process go on, and stops when the command is to stop. */
export const pause = async (signal: AbortSignal): Promise<void> => {
  await new Promise<void>((resolve) => setImmediate(resolve))
  if (signal.aborted) throw new ToolFailure("The command was stopped.")
}

/** A number as people read it: `1,234,567`. */
export const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ",")

/** `1 vertex`, `2,000 vertices`. */
export const counted = (count: number, kind: "vertex" | "edge"): string =>
  `${grouped(count)} ${kind === "vertex" ? (count === 1 ? "vertex" : "vertices") : count === 1 ? "edge" : "edges"}`

/** Bytes as people read them: `12.3 MB`. */
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
