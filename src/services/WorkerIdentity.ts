import * as Context from "effect/Context"
import type { SharedWrites } from "../structure/graph/SharedWrites.ts"

/** This process as one of several worker processes of a server, as the stores of graphs need to know it. */
export interface WorkerIdentityShape {
  /** A name that all processes of the server share, and no other server has. A restart of the server has a new name. */
  readonly server: string
  /** The number of this worker, from 1. A worker that replaces another one may have its number. */
  readonly worker: number
  /** True when the server has more than one worker by its settings. The workers of a reload run beside the old ones for a time. */
  readonly hasOthers?: boolean
  /** The processes of the server now, at least 1: they divide limits of its storage. Absent when they share no memory. */
  readonly workers?: () => number
  /** The writes of all workers of the server. Absent when the processes share no memory. */
  readonly writes?: SharedWrites
}

/** The identity of a worker process. Absent when the server is one process. */
export class WorkerIdentity extends Context.Tag("engine-server/WorkerIdentity")<
  WorkerIdentity,
  WorkerIdentityShape
>() {}
