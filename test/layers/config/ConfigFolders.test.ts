import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { locate } from "../../../src/layers/config/ConfigFolders.ts"
import { newFolder } from "../../Folders.ts"

/** Folders in a new folder, which has these files. */
const folders = (...files: ReadonlyArray<string>) => {
  const top = newFolder()
  for (const file of files) {
    mkdirSync(dirname(join(top, file)), { recursive: true })
    writeFileSync(join(top, file), "")
  }
  const at = (path: string): string => join(top, path)
  return {
    at,
    cwd: at("work"),
    home: at("home"),
    configurations: at("etc"),
    library: at("lib"),
    installation: at("package")
  }
}

describe("A relative path in a configuration file", () => {
  it("that begins with conf means the folder of the configurations, in a file of this folder only", () => {
    const all = folders("etc/server.yaml", "etc/graph.properties", "work/conf/graph.properties", "work/server.yaml")
    const path = "conf/graph.properties"
    expect(locate(all, all.at("etc/server.yaml"), path)).toEqual({ found: all.at("etc/graph.properties") })
    expect(locate(all, all.at("work/server.yaml"), path)).toEqual({ found: all.at("work/conf/graph.properties") })
  })

  it("is searched in the working directory, the home, beside the file, in the library and in the package, in this order", () => {
    const order = ["work/a", "home/a", "mine/a", "lib/a", "package/a"]
    for (const [i, first] of order.entries()) {
      const all = folders(...order.slice(i))
      expect(locate(all, all.at("mine/server.yaml"), "a")).toEqual({ found: all.at(first) })
    }
  })

  it("that names no file is refused with the paths that were searched", () => {
    const all = folders()
    const reason = expect.stringContaining(`there is no file a; looked for ${all.at("work/a")}, ${all.at("home/a")}, `)
    expect(locate(all, all.at("mine/server.yaml"), "a")).toEqual({ reason })
  })
})
