import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { eventually } from "../../Eventually.ts"
import { tinkerGraph, withFiles } from "../config/Folder.ts"
import { command, serving } from "../support/Commands.ts"
import { http } from "../support/HttpClient.ts"

const simple = (graph: string) =>
  `graphs: {graph: graph.properties}\nport: 0\nchannelizer: WsAndHttpChannelizer\nauthentication: {authenticator: SimpleAuthenticator, config: {credentialsDb: ${graph}, defaultUsername: stephen, defaultPassword: first}}\n`

const files = {
  "kept.yaml": simple("users.properties"),
  "roles.yaml": `${simple("users.properties")}authorization: {authorizer: RoleAuthorizer}\n`,
  "memory.yaml": simple("graph2.properties"),
  "off.yaml": simple("users.properties").replace("SimpleAuthenticator", "AllowAllAuthenticator"),
  "missing.yaml": simple("missing.properties").replace("SimpleAuthenticator", "AllowAllAuthenticator"),
  "broken.yaml": simple("broken.properties"),
  "broken.properties": "engine.graph=JanusGraphFactory\nstorage.backend=lmdb\nstorage.directory=open.yaml\n",
  "open.yaml": "graphs: {graph: graph.properties}\n",
  "graph.properties": tinkerGraph,
  "graph2.properties": tinkerGraph,
  "users.properties": "engine.graph=JanusGraphFactory\nstorage.backend=lmdb\nstorage.directory=users\n"
}

/** Runs commands in one folder. Returns exit status and output of each. */
const inFolder = <A>(
  use: (execute: (args: string, password?: string) => Effect.Effect<string>, cwd: string) => Effect.Effect<A>
) =>
  withFiles(files, (cwd) => {
    const execute = (args: string, password?: string) =>
      Effect.promise(async () => {
        const { err, out, status } = await command(cwd, args.split(" "), password)
        return `${status} ${out}${err}`
      })
    return use(execute, cwd)
  })

/** Waits until a running server lists users. */
const lists = (execute: (args: string) => Effect.Effect<string>, there: string, begin: string) =>
  Effect.promise(() =>
    eventually(async () => (await Effect.runPromise(execute(`credentials list ${there}`))).startsWith(begin))
  )

describe("The command credentials", () => {
  it.live("adds, changes, lists and removes users of a persistent graph", () =>
    inFolder((execute) =>
      Effect.gen(function* () {
        const here = "--config roles.yaml"
        assert.strictEqual(
          yield* execute(`credentials add marko --role reader ${here}`, "secret"),
          "0 The user 'marko' has been added.\n"
        )
        assert.match(yield* execute(`credentials add marko ${here}`, "secret"), /^1 There is a user 'marko' already\./)
        assert.match(
          yield* execute(`credentials passwd marko ${here}`, "other"),
          /^0 The user 'marko' has the new password/
        )
        assert.match(yield* execute(`credentials passwd marko ${here}`, ""), /^1 A password cannot be empty/)
        assert.match(yield* execute(`credentials role marko --role admin --graph graph ${here}`), /^0 .* role admin on/)
        assert.strictEqual(yield* execute(`credentials list ${here}`), "0 marko\treader\tgraph=admin\n")
        assert.match(yield* execute(`credentials role marko --role none --graph graph ${here}`), /^0 .*any more/)
        assert.match(yield* execute(`credentials role marko --role king ${here}`), /^1 There is no role 'king'/)
        assert.match(yield* execute(`credentials role marko ${here}`), /^1 --role is needed/)
        assert.match(yield* execute(`credentials ${here}`), /^1 credentials takes add/)
        assert.match(yield* execute(`credentials remove nobody ${here}`), /^1 There is no user 'nobody'/)
        assert.match(yield* execute(`credentials remove marko ${here}`), /^0 The user 'marko' has been removed/)
        assert.strictEqual(yield* execute(`credentials list ${here}`), "0 ")
        const off = "--config off.yaml"
        assert.strictEqual(yield* execute(`credentials add vadas ${off}`, "x"), "0 The user 'vadas' has been added.\n")
        assert.match(yield* execute(`credentials list ${here}`), /^0 vadas/)
      })
    )
  )

  it.live("warns of roles that have no effect, because nothing is authorized", () =>
    inFolder((execute, cwd) =>
      Effect.gen(function* () {
        const warning =
          /\nWARNING: roles have no effect, because the configuration names no authorizer: .*RoleAuthorizer/
        const here = "--config kept.yaml"
        assert.match(yield* execute(`credentials add marko --role reader ${here}`, "x"), warning)
        assert.match(yield* execute(`credentials role marko --role admin --graph graph ${here}`), warning)
        for (const [words, password] of [
          ["add josh", "x"],
          ["passwd marko", "y"],
          ["role marko --role none", undefined],
          ["list", undefined]
        ] as const) {
          assert.notInclude(yield* execute(`credentials ${words} ${here}`, password), "WARNING")
        }
        const socket = join(cwd, "s.sock")
        const server = serving(cwd, ["memory.yaml", "--control-socket", socket, "--log-file", join(cwd, "service.log")])
        const there = `--control-socket ${socket}`
        yield* lists(execute, there, "0 stephen")
        assert.match(yield* execute(`credentials add marko --role reader ${there}`, "x"), warning)
        yield* Effect.promise(server.end)
      })
    )
  )

  it.live("uses the running server when the users are in memory", () =>
    inFolder((execute, cwd) =>
      Effect.gen(function* () {
        assert.match(
          yield* execute("credentials list --config memory.yaml"),
          /^1 The users .* are in the memory of the running server/
        )
        assert.match(yield* execute("credentials list --config open.yaml"), /^1 .*credentialsDb/)
        assert.match(yield* execute("credentials list --config missing.yaml"), /^1 .*names a file that does not exist/)
        assert.match(
          yield* execute("credentials list --config broken.yaml"),
          /^1 .*If a server runs with this configuration, name its socket: --control-socket/s
        )
        const socket = join(cwd, "s.sock")
        const log = join(cwd, "service.log")
        const server = serving(cwd, ["memory.yaml", "--control-socket", socket, "--log-file", log])
        const there = `--control-socket ${socket}`
        yield* lists(execute, there, "0 stephen\tadmin")
        assert.strictEqual(
          yield* execute(`credentials add marko ${there}`, 'a b"c'),
          "0 The user 'marko' has been added.\n"
        )
        assert.match(yield* execute(`credentials add marko ${there}`, "x"), /^1 There is a user 'marko' already\./)
        assert.strictEqual(yield* execute(`credentials list ${there}`), "0 marko\t(default role)\nstephen\tadmin\n")
        const port = /Channel started at port (\d+)/.exec(readFileSync(log, "utf8"))?.[1]
        assert.include(readFileSync(log, "utf8"), "Try: curl -u <user>:<password> -d ")
        const status = (password: string) =>
          Effect.promise(() =>
            http(
              `127.0.0.1:${port}`,
              { headers: { authorization: `Basic ${Buffer.from(`marko:${password}`).toString("base64")}` } },
              '{"gremlin":"1"}'
            )
          ).pipe(Effect.map((answer) => answer.status))
        assert.strictEqual(yield* status('a b"c'), 200)
        assert.match(yield* execute(`credentials passwd marko ${there}`, "another"), /^0 /)
        assert.strictEqual(yield* status('a b"c'), 401)
        assert.strictEqual(yield* status("another"), 200)
        assert.match(yield* execute(`credentials remove marko ${there}`), /^0 /)
        assert.strictEqual(yield* status("another"), 401)
        yield* Effect.promise(server.end)
        assert.match(readFileSync(log, "utf8"), /INFO {2}The users were changed .*user=marko/)
      })
    )
  )
})
