import type { InputFile } from "./InputFiles.ts"

/** One pass over a file, for its vertices or for its edges. */
export interface ImportPass {
  readonly file: InputFile
  readonly takes: "vertices" | "edges"
}

/** All vertices come before all edges, so that every edge finds its ends and none is buffered. */
export const passesOf = (files: ReadonlyArray<InputFile>): ReadonlyArray<ImportPass> =>
  (["vertices", "edges"] as const).flatMap((takes) =>
    files.filter(({ holds }) => holds.includes(takes)).map((file) => ({ file, takes }))
  )
