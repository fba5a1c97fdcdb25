import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** The folder of the package. This file is in dist/, dist/chunks/ or src/layers/config/. */
export const installation = (() => {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, "package.json")) && folder !== dirname(folder)) folder = dirname(folder)
  return folder
})()

/** The version of this package. Reads package.json at each call. */
export const version = (): string => {
  const manifest: unknown = JSON.parse(readFileSync(join(installation, "package.json"), "utf8"))
  return String((manifest as { readonly version?: unknown }).version)
}
