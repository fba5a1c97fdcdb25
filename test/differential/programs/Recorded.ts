import { readFileSync, writeFileSync } from "node:fs"
import { canonical } from "../Canonical.ts"
import { errorClass, type Outcome } from "../Outcome.ts"

/** A program, and what the reference answered. */
export interface RecordedProgram {
  /** The number of the program in the run of the seed. */
  readonly number: number
  readonly program: string
  /** The results as canonical texts, or the class of the error. */
  readonly values?: ReadonlyArray<string>
  readonly error?: string
}

/** Programs of one seed with the answers of the reference. */
export interface Recording {
  readonly reference: string
  readonly seed: number
  readonly programs: ReadonlyArray<RecordedProgram>
}

/** Longer programs and answers are not recorded, so that the file stays small. */
const MAX_RECORDED_CHARS = 1_200

/** The outcome as it is recorded. Undefined if the server has not answered, or if the program or answer is too long. */
export const recorded = (number: number, program: string, outcome: Outcome): RecordedProgram | undefined => {
  if (outcome.kind !== "values" && outcome.kind !== "error") return undefined
  const answer =
    outcome.kind === "error"
      ? { error: errorClass(outcome) }
      : { values: canonical(outcome.values, { order: "kept", givenIds: false }) }
  const one = { number, program, ...answer }
  return JSON.stringify(one).length > MAX_RECORDED_CHARS ? undefined : one
}

/** Reads a recording: one line with the reference and the seed, and one for each program. */
export const readRecording = (file: string): Recording => {
  const [head, ...programs] = readFileSync(file, "utf8").trim().split("\n")
  return { ...JSON.parse(head!), programs: programs.map((line) => JSON.parse(line) as RecordedProgram) }
}

/** Writes a recording. */
export const writeRecording = (file: string, { programs, ...head }: Recording): void =>
  writeFileSync(file, `${[head, ...programs].map((line) => JSON.stringify(line)).join("\n")}\n`)
