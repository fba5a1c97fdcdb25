import { beforeEach } from "vitest"

/** Whether the tests run against the built package and not against the sources. */
export const isPacked = process.env.ENGINE_SERVER_PACKED !== undefined

/**
 * Declares that the tests of a file, or of the `describe` that calls this, can run on sources only. The run against the
 * built package skips them, and its report gives the reason.
 *
 * @param reason what the tests need that the package does not have
 */
export const sourcesOnly = (reason: string): void => {
  beforeEach((context) => context.skip(isPacked, reason))
}
