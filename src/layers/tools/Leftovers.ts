import { createHash, randomBytes } from "node:crypto"
import { readdir, rm } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { stateOf, thisProcess } from "../../storage/shared/ProcessIdentity.ts"

/** The machine or container in which a process id means one process. */
const placeOf = ({ boot, host, namespace }: ReturnType<typeof thisProcess>): string =>
  createHash("sha256").update(`${boot} ${namespace} ${host}`).digest("hex").slice(0, 12)

/** Process id, start time, machine, random part. */
const MIDDLE = /^(\d+)\.(\d*)\.([0-9a-f]{12})\.[0-9a-f]{12}\.tmp$/

/** A name beside a file for what is written before the file gets its name. It tells which process writes it. */
export const temporaryName = (file: string): string => {
  const own = thisProcess()
  const middle = `${own.pid}.${own.started}.${placeOf(own)}.${randomBytes(6).toString("hex")}`
  return join(dirname(file), `.${basename(file)}.${middle}.tmp`)
}

/**
 * Removes the temporary files of a file that processes left when they were killed. Those of running processes stay, and those of other
 * machines, whose processes this one does not know.
 */
export const removeLeftovers = async (file: string): Promise<void> => {
  const folder = dirname(file)
  const start = `.${basename(file)}.`
  const own = thisProcess()
  // A folder that does not exist has no leftovers, and the write reports one that cannot be read.
  for (const name of await readdir(folder).catch(() => [])) {
    const found = name.startsWith(start) ? MIDDLE.exec(name.slice(start.length)) : null
    if (found === null || found[3] !== placeOf(own)) continue
    const writer = { ...own, pid: Number(found[1]), started: found[2]! }
    if (stateOf(writer, own) === "ended") await rm(join(folder, name), { force: true })
  }
}
