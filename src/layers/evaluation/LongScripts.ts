/** Time between two lines of the log about an initialisation script that has not ended, ms. */
const REPORT_INTERVAL_MS = 10_000

/**
 * The work of an initialisation script, with a line of the log for each ten seconds. Such scripts have no time limit, so the line is all
 * that an operator sees of one that never ends.
 */
export const reported = async <A>(file: string, work: Promise<A>, log: (text: string) => void): Promise<A> => {
  let seconds = 0
  const timer = setInterval(() => {
    seconds += REPORT_INTERVAL_MS / 1000
    log(
      `The initialisation script ${file} has not ended after ${seconds} seconds. The server waits for it without a limit. A loop that waits ` +
        "for an index must end at the status ENABLED: an index of a small graph is enabled at once"
    )
  }, REPORT_INTERVAL_MS)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}
