import type { Service } from "../../process/language/Service.ts"
import type { RunEnvironment } from "../../process/plan/Run.ts"
import { Scratch } from "../../process/plan/Scratch.ts"
import type { ServerSettings } from "../../services/Settings.ts"
import { closedFiles } from "../config/ClosedFiles.ts"
import { fileFormats } from "../graphs/FileFormats.ts"

/**
 * Memory of one traversal, whatever the settings are. V8 ends the process when a list grows beyond some 100 million members,
 * and each member counts 32 bytes.
 */
const MAX_TRAVERSAL_BYTES = 2 ** 31

/** What all traversals of a server share. */
export const runEnvironment = (settings: ServerSettings, services: ReadonlyMap<string, Service>): RunEnvironment => ({
  maxBytes:
    settings.requestMemoryLimit > 0 ? Math.min(settings.requestMemoryLimit, MAX_TRAVERSAL_BYTES) : MAX_TRAVERSAL_BYTES,
  services,
  dataFolder: { path: settings.ioDirectory, closed: closedFiles(settings) },
  formats: fileFormats,
  materializeProperties: true,
  scratch: new Scratch()
})
