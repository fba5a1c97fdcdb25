import type { GraphSettings } from "../../services/GraphSettings.ts"

/** The settings of a graph that must exist: to open it fails where there is no graph yet, instead of creating an empty one. */
export const existingGraph = (settings: GraphSettings): GraphSettings => {
  const { factory } = settings
  if (factory.kind !== "JanusGraphFactory") return settings
  return { ...settings, factory: { ...factory, storage: { ...factory.storage, mustExist: true } } }
}
