import { readFileSync } from "node:fs"
import { join, sep } from "node:path"
import { afterAll } from "vitest"

/**
 * A setup file of vitest, which runs before each test file. Test files of one process share the modules of `src/`, which have no
 * state that changes (test/project/ModuleState.test.ts): their evaluation takes up to half a second for each file. All other modules are
 * evaluated anew for each file, because helpers of tests register hooks and have state.
 */

/** What vitest 3 keeps of a module: its exports, and the modules that import it. */
type Module = object

/** The part of the worker of vitest 3 that the setup file needs. */
interface Worker {
  /** The test file that runs. */
  readonly filepath?: string
  readonly moduleCache: ReadonlyMap<string, Module> & { readonly invalidateModule: (module: Module) => void }
}

const root = join(import.meta.dirname, "..")
const sources = join(root, "src") + sep

const worker = (): Worker => {
  const found: unknown = Reflect.get(globalThis, "__vitest_worker__")
  if (typeof found === "object" && found !== null && "moduleCache" in found) return found as Worker
  throw new Error("This version of vitest has no __vitest_worker__.moduleCache: change test/SharedSources.ts.")
}

const { filepath, moduleCache } = worker()

/** Whether a module of this repository is evaluated anew. Packages and vitest itself are not. */
const isForgotten = (path: string, keepsSources: boolean): boolean =>
  path !== import.meta.filename &&
  (path.startsWith(root + sep) || path.startsWith("mock:")) &&
  !path.includes("/node_modules/") &&
  !(keepsSources && path.startsWith(sources))

const forget = (keepsSources: boolean): void => {
  for (const [path, module] of moduleCache) if (isForgotten(path, keepsSources)) moduleCache.invalidateModule(module)
}

/** Modules of `src/` keep the builtin modules that they import. A file that replaces one needs its own modules. */
const replacesModules = filepath !== undefined && readFileSync(filepath, "utf8").includes("vi.mock(")

forget(!replacesModules)
if (replacesModules) afterAll(() => forget(false))
