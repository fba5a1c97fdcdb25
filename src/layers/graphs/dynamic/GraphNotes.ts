import type { Note } from "../../config/Report.ts"

/** Logs the notes about the options of a graph. `graph` is its name for messages, such as `The graph 'a'`. */
export const logNotes = (
  log: (level: "info" | "warning", text: string) => void,
  graph: string,
  notes: ReadonlyArray<Note>
): void => {
  for (const { level, text } of notes) log(level === "warn" ? "warning" : "info", `${graph}: ${text}`)
}
