import type { InputFile } from "./InputFiles.ts"

/** One reading of a file, for its vertices or for its edges. */
export interface ImportStep {
  readonly file: InputFile
  readonly takes: "vertices" | "edges"
}

/** All vertices before all edges: then every edge finds its ends, without holding any. */
export const stepsOf = (files: ReadonlyArray<InputFile>): ReadonlyArray<ImportStep> =>
  (["vertices", "edges"] as const).flatMap((takes) =>
    files.filter(({ holds }) => holds.includes(takes)).map((file) => ({ file, takes }))
  )
