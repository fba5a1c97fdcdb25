import { afterEach, beforeEach } from "vitest"

/**
 * A setup file of vitest, which runs before each test file. The process of a test reports to vitest's main process, and fails the whole
 * run with `Timeout calling "onTaskUpdate"` when it has read no acknowledgement for 60 s. Tests that run programs by spawnSync() block
 * its event loop, and vitest gives the loop no turn between two tests. So a file of such tests that takes more than 60 s failed the run
 * on a slow machine. After a test of this length the process reads what has arrived.
 */
const LONG_TEST_MS = 500

let begun = 0

beforeEach(() => {
  begun = performance.now()
})

afterEach(async () => {
  // A timer ends after the loop has polled; an immediate may come before.
  if (performance.now() - begun > LONG_TEST_MS) await new Promise((resolve) => setTimeout(resolve, 1))
})

/**
 * Ends a process of tests whose vitest has died. It would go on to report to nobody, with all of a core and a growing heap, beside the
 * next run. vitest replaces process.exit() in such a process.
 */
const endWithVitest = (): void => void process.kill(process.pid, "SIGKILL")

// Files of one process share its listeners.
if (process.listenerCount("disconnect") === 0) process.once("disconnect", endWithVitest)
