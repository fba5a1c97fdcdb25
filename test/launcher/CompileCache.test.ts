import { chmodSync, chownSync, existsSync, mkdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { newFolder } from "../Folders.ts"

interface CompileCache {
  readonly compileCache: (environment: Readonly<Record<string, string>>) => string | undefined
}

const { compileCache }: CompileCache = await import(new URL("../../bin/compile-cache.js", import.meta.url).href)

/** The folder for compiled code below a folder of caches. */
const below = (caches: string): string => join(caches, "engine-server", "compiled")

describe.skipIf(process.platform === "win32")("The folder for compiled code", () => {
  it("is made for this user only, and used again", () => {
    const caches = newFolder()
    for (let i = 0; i < 2; i++) expect(compileCache({ XDG_CACHE_HOME: caches })).toBe(below(caches))
    expect(statSync(below(caches)).mode & 0o777).toBe(0o700)
  })

  it("is in the home of the user without a folder of caches, and never below the working directory", () => {
    const home = newFolder()
    for (const given of ["", "relative"])
      expect(compileCache({ HOME: home, XDG_CACHE_HOME: given })).toBe(below(join(home, ".cache")))
    expect(existsSync("relative")).toBe(false)
  })

  it("is not one that others may read or write", () => {
    const caches = newFolder()
    mkdirSync(below(caches), { recursive: true })
    for (const mode of [0o777, 0o770, 0o755]) {
      chmodSync(below(caches), mode)
      expect(compileCache({ XDG_CACHE_HOME: caches })).toBeUndefined()
    }
  })

  it("is not one in whose place others may put another one", () => {
    const caches = newFolder()
    chmodSync(caches, 0o777)
    expect(compileCache({ XDG_CACHE_HOME: caches })).toBeUndefined()
    chmodSync(caches, 0o1777)
    expect(compileCache({ XDG_CACHE_HOME: caches })).toBe(below(caches))
    mkdirSync(join(caches, "other"))
    chmodSync(join(caches, "other"), 0o777)
    expect(compileCache({ XDG_CACHE_HOME: join(caches, "other") })).toBeUndefined()
  })

  it.skipIf(process.getuid?.() !== 0)("is not one of another user, nor in a folder of another user", () => {
    const caches = newFolder()
    mkdirSync(below(caches), { recursive: true, mode: 0o700 })
    for (const folder of [below(caches), caches]) {
      chownSync(folder, 12345, 12345)
      expect(compileCache({ XDG_CACHE_HOME: caches })).toBeUndefined()
      chownSync(folder, 0, 0)
    }
    expect(compileCache({ XDG_CACHE_HOME: caches })).toBe(below(caches))
  })

  // `/proc` answers ENOENT for a new folder, as mount points of autofs do.
  it.each(["/dev/null", "/proc/engine"])("does not exist where it cannot be made: %s", (folder) => {
    expect(compileCache({ XDG_CACHE_HOME: folder })).toBeUndefined()
    expect(compileCache({ HOME: folder })).toBeUndefined()
  })

  it("is none if Node.js has been told where to keep code, or if the home is no path", () => {
    const caches = newFolder()
    for (const name of ["NODE_COMPILE_CACHE", "NODE_DISABLE_COMPILE_CACHE"])
      expect(compileCache({ XDG_CACHE_HOME: caches, [name]: "1" })).toBeUndefined()
    expect(existsSync(below(caches))).toBe(false)
    expect(compileCache({ HOME: "" })).toBeUndefined()
    expect(existsSync(".cache/engine-server/compiled")).toBe(false)
  })
})
