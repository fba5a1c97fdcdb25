import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { has, run } from "./support.ts"

export const VERSION = "3.8.2"
const home = new URL("../../.cache/python/", import.meta.url).pathname
const environment = join(home, `gremlinpython-${VERSION}`)

/** The interpreter of the environment with the driver. */
export const python = join(environment, "bin", "python")

const ready = join(environment, "ready")
const lock = `${environment}.lock`

/** Test files run concurrently, and the first one creates the environment. False if another one has begun to create it. */
const isFirst = (): boolean => {
  try {
    mkdirSync(home, { recursive: true })
    mkdirSync(lock)
    return true
  } catch {
    return false
  }
}

const others = async (): Promise<void> => {
  for (let waited = 0; waited < 120 && existsSync(lock); waited++)
    await new Promise((resolve) => setTimeout(resolve, 1000))
  rmSync(lock, { recursive: true, force: true })
}

/** What pip says when it cannot reach a registry. */
const UNREACHABLE = /NewConnectionError|ConnectTimeout|Name or service not known|Temporary failure in name resolution/

/**
 * Creates a virtual environment with the driver, once. Returns undefined on success. Otherwise returns the reason: there is no Python, or
 * no registry. With CI in the environment, any other failure is thrown.
 */
export const install = async (): Promise<string | undefined> => {
  if (!has("python3", "-c", "import venv, ensurepip")) return "there is no python3 with venv"
  if (existsSync(ready)) return undefined
  if (!isFirst()) {
    await others()
    return install()
  }
  try {
    await run("python3", ["-m", "venv", environment])
    await run(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", `gremlinpython==${VERSION}`])
    writeFileSync(ready, "")
    return undefined
  } catch (cause) {
    if (process.env.CI !== undefined && !UNREACHABLE.test(String(cause))) throw cause
    return `gremlinpython ${VERSION} cannot be installed: ${String(cause).slice(0, 300)}`
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}
