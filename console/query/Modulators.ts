/** The steps that take each modulator. A test compares this with the compiler of the server. */
const takers: Readonly<Record<string, ReadonlySet<string>>> = {
  by: new Set([
    ...["aggregate", "cyclicPath", "dedup", "format", "group", "groupCount", "math", "order", "path", "project"],
    ...["propertyMap", "sack", "sample", "select", "simplePath", "store", "tree", "valueMap", "where"]
  ]),
  emit: new Set(["repeat"]),
  from: new Set(["addE", "cyclicPath", "path", "simplePath"]),
  option: new Set(["branch", "choose", "mergeE", "mergeV"]),
  read: new Set(["io"]),
  times: new Set(["repeat"]),
  to: new Set(["addE", "cyclicPath", "path", "simplePath"]),
  until: new Set(["repeat"]),
  with: new Set([
    ...["addE", "addV", "call", "connectedComponent", "index", "io", "pageRank", "peerPressure", "property"],
    ...["propertyMap", "shortestPath", "valueMap"]
  ]),
  write: new Set(["io"])
}

/** Modulators that also stand elsewhere: before their repeat(), or as a step. */
const alsoElsewhere: ReadonlySet<string> = new Set(["emit", "times", "to", "until"])

/** Whether a call makes no step, so that a modulator after it belongs to the step before it. */
const makesNoStep = (name: string): boolean => name === "as" || Object.hasOwn(takers, name)

/** Where a step is in the list of a completion: 1 = first, -1 = last; undefined for one that does not fit. */
type Rank = -1 | 0 | 1 | undefined

/**
 * Ranks the steps that may follow a chain of calls, such as `V` and `order` for `g.V().order()`: modulators of its last step come
 * first, and those of other steps are left out.
 */
export const rankAfter = (chain: ReadonlyArray<string>): ((step: string) => Rank) => {
  const last = chain.findLast((name) => !makesNoStep(name)) ?? ""
  return (step) => {
    if (!Object.hasOwn(takers, step)) return 0
    if (takers[step]?.has(last) === true) return 1
    return alsoElsewhere.has(step) ? -1 : undefined
  }
}
