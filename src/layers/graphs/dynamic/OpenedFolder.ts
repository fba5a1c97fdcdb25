import { DynamicGraphError } from "../../../services/DynamicGraphs.ts"
import type { GraphSettings } from "../../../services/GraphSettings.ts"
import { canonical } from "../../../storage/shared/CanonicalPath.ts"
import type { GraphStore } from "../../../structure/graph/GraphStore.ts"

/**
 * Opens a graph whose folder was checked, and checks after it that the path of the folder still has no links: a part of it may have
 * become a link in between. The settings must be those of `GraphRules.checked`. Throws DynamicGraphError.
 */
export const openInFolder = async (
  settings: GraphSettings,
  open: (settings: GraphSettings) => Promise<GraphStore>
): Promise<GraphStore> => {
  const store = await open(settings)
  const directory = settings.factory.kind === "JanusGraphFactory" ? settings.factory.storage.directory : undefined
  if (directory === undefined || canonical(directory) === directory) return store
  await store.close()
  throw new DynamicGraphError("invalid", `The folder ${directory} was replaced while the graph was opened: try again.`)
}
