/** Limits of tests that take longer than 30 seconds, ms, named by their reasons. `test/project/Checks.test.ts` finds other limits. */

/** Multiplies the limits of tests, for machines that are slow or have other work. */
export const patience = Number(process.env.TEST_PATIENCE ?? 1)

/** The limit of every other test. */
export const USUAL_MS = 30_000 * patience

/** How long a test waits for a condition. It is shorter than the limit of the test, whose message does not name the condition. */
export const CONDITION_MS = Math.max(60_000, 20_000 * patience)

/** A hook that makes what a file of tests needs: the first one of a run installs the package. */
export const HOOK_MS = 300_000 * patience

/** A test of a lengthy or measuring file. */
export const LENGTHY_MS = Math.max(300_000, 100_000 * patience)

/** A test that starts several processes, each of which loads the server or a driver. */
export const PROCESSES_MS = 120_000 * patience

/** A test that evaluates hundreds of programs or random changes. */
export const MANY_RUNS_MS = 120_000 * patience

/** A test that fills the memory of a process, which then collects garbage most of the time. */
export const FULL_MEMORY_MS = 120_000 * patience

/** A test of thousands of commits, each of which waits for the disk. */
export const MANY_COMMITS_MS = 240_000 * patience

/** A test that runs the texts of all other tests. */
export const ALL_TEXTS_MS = 300_000 * patience
