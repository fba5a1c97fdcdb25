import { existsSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { withFiles } from "../config/Folder.ts"
import { command } from "../support/Commands.ts"

const onDisk = (folder: string) => `engine.graph=JanusGraphFactory\nstorage.backend=lmdb\nstorage.directory=${folder}\n`

const files = {
  "server.yaml":
    "graphs: {graph: graph.properties}\nport: 0\nchannelizer: WsAndHttpChannelizer\n" +
    "authentication: {authenticator: SimpleAuthenticator, config: {credentialsDb: users.properties}}\n",
  "graph.properties": onDisk("data"),
  "users.properties": onDisk("users"),
  "v.csv": "~id,~label\n1,person\n"
}

describe("A graph on disk that does not exist", () => {
  it.live("is neither read nor created by the commands that read graphs", () =>
    withFiles(files, (folder) =>
      Effect.promise(async () => {
        const commands = ["verify", "verify --repair", "stats", "export out.json", "backup out.backup"]
        for (const words of commands) {
          const { err, out, status } = await command(folder, [...words.split(" "), "--config", "server.yaml"])
          assert.match(
            err,
            /There is no graph in .*data\. Check storage\.directory, and the folder where relative paths/
          )
          assert.deepEqual({ out, status }, { out: "", status: 1 }, words)
        }
        for (const name of ["data", "out.json", "out.backup"]) assert.isFalse(existsSync(join(folder, name)), name)
      })
    )
  )

  it.live("is not named for a graph in memory, of which the commands leave no folder", () =>
    withFiles(
      { ...files, "graph.properties": "gremlin.graph=JanusGraphFactory\nstorage.backend=inmemory\n" },
      (folder) =>
        Effect.promise(async () => {
          const { err, status } = await command(folder, ["stats", "--config", "server.yaml"])
          assert.match(err, /^The graph 'graph' is in the memory of the running server\. Name its socket/)
          assert.strictEqual(status, 1)
        })
    )
  )

  it.live("is created by an import", () =>
    withFiles(files, (folder) =>
      Effect.promise(async () => {
        const imported = await command(folder, ["import", "v.csv", "--config", "server.yaml"])
        assert.match(imported.out, /^Imported 1 vertex/)
        const verified = await command(folder, ["verify", "--config", "server.yaml"])
        assert.match(verified.out, /^Verified 1 vertex/)
      })
    )
  )

  it.live("is created by the command that adds a user, and by no other command for users", () =>
    withFiles(files, (folder) =>
      Effect.promise(async () => {
        const at = ["--config", "server.yaml"]
        for (const words of ["list", "passwd marko", "role marko --role admin", "remove marko"]) {
          const { err, status } = await command(folder, ["credentials", ...words.split(" "), ...at], "secret")
          assert.match(err, /There is no graph in .*users\. Check storage\.directory/)
          assert.strictEqual(status, 1, words)
        }
        assert.isFalse(existsSync(join(folder, "users")))
        assert.strictEqual((await command(folder, ["credentials", "add", "marko", ...at], "secret")).status, 0)
        assert.match((await command(folder, ["credentials", "list", ...at])).out, /^marko\t/)
      })
    )
  )
})
