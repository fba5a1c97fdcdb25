import { isStopped } from "../shared/ProcessIdentity.ts"

/**
 * Says what to do if another process, for which this one waits, does not go on. Two sentences without the last full stop; the process is
 * "it". Only for a process of this machine whose end loses no commit that was answered: one that has the graph open.
 */
export const remedyFor = (pid: number): string => {
  const end = `end it (kill -KILL ${pid}): commits that were answered are kept`
  return isStopped(pid) ? `It is stopped. Continue it (kill -CONT ${pid}) or ${end}` : `If it does not go on, ${end}`
}
