import { createHash } from "node:crypto"
import { hostname } from "node:os"
import type { SharedWrites } from "../../../structure/graph/SharedWrites.ts"
import { pidState } from "../../shared/ProcessIdentity.ts"
import { addressName, legalName } from "./Instances.ts"

/** A worker process of a server of several processes. */
export interface Worker {
  /** A name that all processes of the server share, and no other server has. */
  readonly server: string
  /** The number of the worker. A worker that replaces another one may have its number. */
  readonly worker: number
  /** The writes of all workers of the server. Absent when they share no memory: then they are as separate servers. */
  readonly writes?: SharedWrites
}

/** Hexadecimal digits of the digest of the server's name in the name of an instance. */
const TOKEN_DIGITS = 12

/**
 * The name of a worker as an instance. It ends with the server, the number of the worker and the process id, so that no two workers
 * have one name, also when `configured` (`graph.unique-instance-id`) is set: it is the same for all workers.
 */
export const workerName = (configured: string | undefined, worker: Worker, pid = process.pid): string => {
  const token = createHash("sha256").update(worker.server).digest("hex").slice(0, TOKEN_DIGITS)
  const base = configured ?? legalName(`${addressName()}-${hostname()}`)
  return `${base}-${token}-${worker.worker}-${pid}`
}

const ENDING = /-(\d+)-(\d+)$/

/** True when both names are names of workers of the same server. `own`: made by {@link workerName}. */
export const isSiblingName = (own: string, other: string): boolean =>
  ENDING.test(other) && other.replace(ENDING, "") === own.replace(ENDING, "")

/** True when a name is that of a worker of the same server whose process has ended. `own`: made by {@link workerName}. */
export const isEndedSibling = (own: string, other: string): boolean =>
  isSiblingName(own, other) && pidState(Number(ENDING.exec(other)![2])) === "ended"
