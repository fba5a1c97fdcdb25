import { CellVerifier } from "../../../src/storage/janusgraph/maintenance/verify/CellVerifier.ts"

/** What `verify` finds in the cells of a graph whose store answers at once. */
export const findingsIn = (core: ConstructorParameters<typeof CellVerifier>[0]): ReadonlyArray<string> => {
  const findings: Array<string> = []
  const snapshot = core.cells.snapshot()
  const verifier = new CellVerifier(core, snapshot, ({ kind, where }) => findings.push(`${kind}: ${where}`))
  for (const _ of verifier.work()) {
    // All rows are verified.
  }
  snapshot.close()
  return findings
}
