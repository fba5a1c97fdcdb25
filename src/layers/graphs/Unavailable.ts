import { GraphUnavailable } from "../../services/GraphRegistry.ts"
import type { GraphSettings } from "../../services/GraphSettings.ts"

/** The error of a graph that cannot be opened. The reason is a sentence for the user. */
export const unavailable = (settings: GraphSettings, reason: string): GraphUnavailable =>
  new GraphUnavailable({ graph: settings.name, file: settings.file, reason })
