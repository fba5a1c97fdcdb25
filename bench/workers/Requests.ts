import { evalMessage } from "../Messages.ts"
import { PERSONS } from "../Persons.ts"

const uid = (): number => Math.floor(Math.random() * PERSONS)
const PERSON = "g.V().has('person', 'uid', x)"

export const POINT_READ = `${PERSON}.values('name')`
export const COMMIT = `${PERSON}.property('seen', y).iterate()`

/** The requests of the table that read. */
export const READS = {
  "point read": POINT_READ,
  hop: `${PERSON}.out('knows').values('name')`,
  "about 1 ms": `${PERSON}.out('knows').out('knows').out('knows').values('name').dedup().count()`
} as const
/** The request with so much work that the client costs little beside it. */
export const LONG_READ = "about 1 ms"

/** Messages with a script, each for a random person. */
export const messageOf = (script: string) => (): Buffer => evalMessage(script, { x: uid(), y: uid() })
