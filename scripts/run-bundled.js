import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"

/** The root of the repository. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Bundles a program of this repository that is written in TypeScript, and imports it. Packages are not in the bundle. */
export const importBundled = async (entry, outfile, sourcemap = "linked") => {
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20.19",
    sourcemap,
    logLevel: "warning"
  })
  return import(pathToFileURL(outfile).href)
}

/**
 * Runs `main(arguments, home, cache, root)` of `test/NAME/main.ts`, which returns the exit status. `home` is the folder of the
 * program, and `cache` a folder for what it downloads and writes.
 */
export const runTool = async (name) => {
  const cache = join(root, ".cache", name)
  const { main } = await importBundled(`test/${name}/main.ts`, join(cache, "bundle", `${name}.mjs`))
  await exitWith(() => main(process.argv.slice(2), join(root, "test", name), cache, root))
}

/** Ends with the status that `program` returns, or with its error. Work that still waits does not keep the process. */
export const exitWith = async (program) => {
  try {
    process.exitCode = await program()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
