import type { Client } from "../Client.ts"
import type { Outcome } from "../Outcome.ts"
import type { Model } from "./Model.ts"
import { crew, loops, modern, scratches } from "./Toys.ts"
import { typed } from "./Typed.ts"

/** The graphs that are only read. */
export const readable: ReadonlyArray<Model> = [modern, crew, typed, loops]
/** The states in which a graph is that cases change. */
export const writable: ReadonlyArray<Model> = scratches

/** Elements that are added and dropped once, so that ids which a graph gives are told from those of the models. */
const RESERVED_IDS = 100_000
const RESERVED_AT_ONCE = 5_000

/** The smallest id that a graph gave, and did not take from a script. */
export const FIRST_GIVEN_ID = 50_000n

/** Milliseconds that filling a graph may take: a server that has just started is slow. */
const PATIENCE = 60_000

const succeeded = (what: string, outcome: Outcome): void => {
  if (outcome.kind !== "values") throw new Error(`${what}: ${JSON.stringify(outcome)}`)
}

/** Fills the graphs of a server that the configuration leaves empty, once. */
export const fill = async (client: Client): Promise<void> => {
  for (const { source, build } of readable) {
    for (const program of build) succeeded(`filling ${source}`, await client.run({ source, program }, PATIENCE))
  }
  const source = "gscratch"
  for (let done = 0; done < RESERVED_IDS; done += RESERVED_AT_ONCE) {
    const add = `g.inject(0).repeat(addV("reserved")).times(${RESERVED_AT_ONCE}).iterate()`
    succeeded("reserving ids", await client.run({ source, program: add }, PATIENCE))
    succeeded("reserving ids", await client.run({ source, program: "g.V().drop()" }, PATIENCE))
  }
}

/** The scripts that bring the graph of a model into its state. */
export const resetting = ({ writable, build }: Model): ReadonlyArray<string> =>
  writable ? ["g.V().drop()", ...build] : []

/** What is asked after a case that changes a graph: everything that is in it, with its properties. */
export const CONTENTS = [
  'g.V().project("id", "label", "properties").by(T.id).by(T.label).by(properties().project("key", "value", "meta").by(T.key).by(T.value).by(valueMap()).fold())',
  'g.E().project("id", "label", "out", "in", "properties").by(T.id).by(T.label).by(outV().id()).by(inV().id()).by(valueMap())'
]
