import { bytecodeMessage, int32 } from "../Messages.ts"

/** The number of persons in the graph, and of the `knows` edges of each. */
export const PERSONS = 2000
export const DEGREE = 10

type Step = ReadonlyArray<unknown>

const some = (below: number): number => Math.floor(Math.random() * below)

const person = (uid = some(PERSONS)): ReadonlyArray<Step> => [["V"], ["has", "person", "uid", int32(uid)]]

/** One kind of request. */
export interface Request {
  readonly name: string
  readonly message: () => Buffer
}

const reads: ReadonlyArray<Request> = [
  { name: "point read", message: () => bytecodeMessage([...person(), ["values", "name"]]) },
  { name: "hop", message: () => bytecodeMessage([...person(), ["out", "knows"], ["values", "name"]]) },
  {
    name: "two hops",
    message: () => bytecodeMessage([...person(), ["out", "knows"], ["out", "knows"], ["dedup"], ["count"]])
  },
  { name: "whole vertices", message: () => bytecodeMessage([...person(), ["out", "knows"], ["elementMap"]]) },
  { name: "edges", message: () => bytecodeMessage([...person(), ["outE", "knows"]]) }
]

const write: Request = {
  name: "write",
  message: () =>
    bytecodeMessage([
      ["addV", "event"],
      ["property", "at", int32(some(1_000_000))]
    ])
}

/** Share of the requests of `mixed` that read. */
const MIXED_READS = 0.9

/** The rows of the table. */
const requests: ReadonlyArray<Request> = [
  ...reads,
  write,
  { name: "mixed", message: () => (Math.random() < MIXED_READS ? reads[some(reads.length)]! : write).message() }
]

/** The requests whose name has one of the texts. */
export const requestsWith = (texts: ReadonlyArray<string>): ReadonlyArray<Request> =>
  requests.filter(({ name }) => texts.some((text) => name.includes(text)))

/** Persons that one request adds. */
const PERSONS_PER_REQUEST = 50

/** The requests that add the persons, and then those that add their edges. */
export const loadMessages = (): readonly [ReadonlyArray<Buffer>, ReadonlyArray<Buffer>] => {
  const persons: Array<Buffer> = []
  for (let from = 0; from < PERSONS; from += PERSONS_PER_REQUEST) {
    const steps = Array.from({ length: PERSONS_PER_REQUEST }, (_, i) => [
      ["addV", "person"],
      ["property", "uid", int32(from + i)],
      ["property", "name", `person-${from + i}`]
    ])
    persons.push(bytecodeMessage([...steps.flat(), ["count"]]))
  }
  const edges = Array.from({ length: PERSONS }, (_, uid) => {
    const ends = Array.from({ length: DEGREE }, (_, i) => (uid * 7 + i * 97 + 1) % PERSONS)
    const steps = ends.map((end) => [
      ["addE", "knows"],
      ["from", "a"],
      ["to", { "@type": "g:Bytecode", "@value": { step: person(end) } }]
    ])
    return bytecodeMessage([...person(uid), ["as", "a"], ...steps.flat(), ["count"]])
  })
  return [persons, edges]
}
