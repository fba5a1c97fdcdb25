import type { ProcessRole, Serve } from "./commands/Surroundings.ts"

/** Loads what a process of a server runs. A primary process does not load the server itself. */
export const serveAs = async (role: ProcessRole): Promise<Serve> => {
  if (role === "alone") return (await import("./Server.ts")).serve
  if ("number" in role) return (await import("./workers/WorkerProgram.ts")).workerProgram(role)
  return (await import("./workers/Primary.ts")).primaryProgram(role.workers)
}
