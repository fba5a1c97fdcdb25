import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { withFiles } from "../config/Folder.ts"
import { command, serving } from "../support/Commands.ts"
import { eventually } from "../support/TestServers.ts"

const files = {
  "server.yaml":
    "graphs: {ConfigurationManagementGraph: configurations.properties}\nport: 0\ncontrolSocket: control.sock\n",
  "configurations.properties":
    "gremlin.graph=org.janusgraph.core.ConfiguredGraphFactory\nstorage.backend=lmdb\nstorage.directory=configurations\n"
}

it("The command graphs manages the graphs of a running server that has no other graph", () =>
  Effect.runPromise(
    withFiles(files, (cwd) =>
      Effect.promise(async () => {
        const server = serving(cwd, ["serve", "server.yaml"])
        await eventually(() => existsSync(join(cwd, "control.sock")))
        const graphs = async (words: string) => {
          const all = ["graphs", ...words.split(" "), "--control-socket", "control.sock"]
          const { err, out, status } = await command(cwd, all)
          return `${status} ${out}${err}`
        }
        try {
          expect(await graphs("list")).toBe("0 ")
          expect(await graphs("create a")).toMatch(/^1 Please create a template Configuration/)
          expect(await graphs("template storage.backend=lmdb")).toBe("0 The template has the options.\n")
          expect(await graphs("create a")).toBe("0 The graph 'a' has been created.\n")
          expect(await graphs("create b storage.backend=inmemory")).toBe("0 The graph 'b' has been created.\n")
          expect(await graphs("list")).toBe("0 a\topen\nb\topen\n")
          expect(await graphs("show a")).toContain("storage.backend=lmdb\n")
          expect(await graphs("show c")).toMatch(
            /^1 There is no configuration of a graph 'c'\. The command graphs list/
          )
          expect(await graphs("update a query.force-index=true")).toBe("0 The graph 'a' has the new options.\n")
          expect(await graphs("drop b")).toBe("0 The graph 'b' has been dropped, with its data.\n")
          expect(await graphs("drop b")).toMatch(/^1 Please create configuration/)
          expect(await graphs("create")).toMatch(/^1 graphs takes list/)
          expect(await graphs("list x")).toMatch(/^1 graphs takes list/)
          const { status } = await command(cwd, ["stats", "--graph", "a", "--control-socket", "control.sock"])
          expect(status).toBe(0)
        } finally {
          await server.end()
        }
        expect((await command(cwd, ["graphs", "list"])).err).toContain("name its socket with --control-socket")
      })
    )
  ))
