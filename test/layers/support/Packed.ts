import { beforeEach } from "vitest"

/** True when the tests run against the built package, not the sources. */
export const isPacked = process.env.ENGINE_SERVER_PACKED !== undefined

/** The worker processes of each server that `startServer` starts. With more than one, their graphs are on lmdb. */
export const testedWorkers = Number(process.env.ENGINE_SERVER_WORKERS ?? 1)

/**
 * Declares that the tests of a file, or of the calling `describe`, need the sources. The run against the built package
 * skips them, and its report has the reason.
 *
 * @param reason what the tests need that the package does not have
 */
export const sourcesOnly = (reason: string): void => {
  beforeEach((context) => context.skip(isPacked, reason))
}
