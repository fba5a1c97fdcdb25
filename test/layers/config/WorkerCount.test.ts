import { describe, expect, it } from "vitest"
import { type Machine, refusedByWorkers, workerCount } from "../../../src/layers/config/WorkerCount.ts"
import {
  type AuthenticatorName,
  cellGraphDefaults,
  defaultSettings,
  type GraphSettings,
  SettingRefused
} from "../../../src/services/Config.ts"

const GB = 1024 ** 3
const machine = (): Machine => ({ processors: 4, freeBytes: 16 * GB })

const onDisk: GraphSettings = {
  name: "graph",
  file: undefined,
  factory: {
    kind: "JanusGraphFactory",
    storage: {
      backend: "lmdb",
      directory: "/data/graph",
      hostname: [],
      port: undefined,
      keyspace: undefined,
      username: undefined,
      password: undefined,
      readOnly: false
    },
    cells: cellGraphDefaults
  },
  options: new Map(),
  origins: new Map()
}
const shared = { graphs: new Map([["graph", onDisk]]) }

const auto = (processors: number, freeBytes: number): number | undefined => {
  const counted = workerCount(defaultSettings({ ...shared, workers: "auto" }), () => ({ processors, freeBytes }))
  return counted instanceof SettingRefused ? undefined : counted.count
}

describe("The number of workers", () => {
  it("is one by default", () => {
    expect(workerCount(defaultSettings(), machine)).toEqual({ count: 1, reason: undefined })
  })

  it("is the given one for graphs that processes can share", () => {
    expect(workerCount(defaultSettings({ ...shared, workers: 3 }), machine)).toEqual({ count: 3, reason: undefined })
  })

  it("does not depend on the machine unless it is auto", () => {
    const measure = (): Machine => {
      throw new Error("measured")
    }
    for (const workers of [1, 3]) {
      expect(workerCount(defaultSettings({ ...shared, workers }), measure)).toMatchObject({ count: workers })
    }
    expect(() => workerCount(defaultSettings({ ...shared, workers: "auto" }), measure)).toThrow("measured")
  })

  it("is with auto the smallest of the processors, 8, and the free memory divided by 512 MB", () => {
    expect([auto(4, 16 * GB), auto(32, 64 * GB), auto(8, GB), auto(8, 1000)]).toEqual([4, 8, 2, 1])
  })

  it("is one with auto and a graph in memory, with the reason", () => {
    expect(workerCount(defaultSettings({ workers: "auto" }), machine)).toEqual({
      count: 1,
      reason: "workers is auto: one worker, because the graph 'graph' is in the memory of one process"
    })
  })

  it("is one with auto and a graph or users of a module, which may be in memory", () => {
    const ofModule: GraphSettings = { ...onDisk, factory: { kind: "module", module: "/x/factory.js" } }
    const reason = (name: string) =>
      `workers is auto: one worker, because the graph '${name}' is that of a module, which may keep it in the memory of one process`
    const counted = (given: Parameters<typeof defaultSettings>[0]) =>
      workerCount(defaultSettings({ workers: "auto", ...given }), machine)
    expect(counted({ graphs: new Map([["graph", ofModule]]) })).toEqual({ count: 1, reason: reason("graph") })
    const authentication = {
      ...defaultSettings().authentication,
      authenticator: "SimpleAuthenticator" as const,
      credentialsDb: { ...ofModule, name: "credentialsDb" }
    }
    expect(counted({ ...shared, authentication })).toEqual({ count: 1, reason: reason("credentialsDb") })
  })

  it("is the given one for the graph of a module, whose open graph says whether it is in memory", () => {
    const ofModule: GraphSettings = { ...onDisk, factory: { kind: "module", module: "/x/factory.js" } }
    const counted = workerCount(defaultSettings({ workers: 2, graphs: new Map([["graph", ofModule]]) }), machine)
    expect(counted).toEqual({ count: 2, reason: undefined })
  })

  it("is refused above one with a graph in memory, and the refusal says what to do instead", () => {
    const refused = workerCount(defaultSettings({ workers: 2 }), machine)
    expect(refused).toBeInstanceOf(SettingRefused)
    expect((refused as SettingRefused).message).toBe(
      "The setting 'workers: 2' cannot be honoured: the graph 'graph' is in the memory of one process, and workers cannot share " +
        "it. Set workers to 1, or keep the graph on a memory disk: storage.backend=lmdb with storage.directory on a tmpfs and " +
        "storage.lmdb.sync=none"
    )
  })

  it("is one with auto and a channelizer of a module, and refused above one, because it listens itself", () => {
    const own = { ...shared, channelizer: { module: "/x/lines.js" } }
    expect(workerCount(defaultSettings({ ...own, workers: "auto" }), machine)).toEqual({
      count: 1,
      reason: "workers is auto: one worker, because the channelizer /x/lines.js listens itself"
    })
    expect((workerCount(defaultSettings({ ...own, workers: 2 }), machine) as SettingRefused).message).toBe(
      "The setting 'workers: 2' cannot be honoured: the channelizer /x/lines.js listens itself, and only one process can listen on " +
        "the port. Set workers to 1"
    )
  })

  it("is refused above one with users in memory", () => {
    const users = { ...defaultSettings().graphs.get("graph")!, name: "credentialsDb" }
    const { authentication } = defaultSettings()
    const counted = (authenticator: AuthenticatorName) => {
      const given = { ...authentication, authenticator, credentialsDb: users }
      return workerCount(defaultSettings({ ...shared, workers: 2, authentication: given }), machine)
    }
    expect((counted("SimpleAuthenticator") as SettingRefused).message).toContain(
      "the graph 'credentialsDb' is in the memory of one process"
    )
    expect(counted("AllowAllAuthenticator")).toMatchObject({ count: 2 })
  })
})

describe("Workers that run", () => {
  it.each([1, "auto"] as const)("need a restart for a graph in memory with the setting workers: %s", (workers) => {
    const refused = refusedByWorkers(defaultSettings({ workers }), 2)
    expect(refused?.message).toContain("has 2 workers until a restart. Restart it")
    expect(refused?.message).not.toContain("Set workers to 1")
  })

  it("need a restart for the graph of a module with auto, but not with a number", () => {
    const ofModule: GraphSettings = { ...onDisk, factory: { kind: "module", module: "/x/factory.js" } }
    const refused = (workers: number | "auto") =>
      refusedByWorkers(defaultSettings({ workers, graphs: new Map([["graph", ofModule]]) }), 2)?.message
    expect(refused("auto")).toContain(
      "that of a module, which may keep it in the memory of one process, but the server"
    )
    expect(refused(2)).toBeUndefined()
  })

  it("name the setting that a graph in memory needs", () => {
    expect(refusedByWorkers(defaultSettings({ workers: 3 }), 2)?.message).toContain("Set workers to 1")
    expect(refusedByWorkers(defaultSettings({ workers: 3 }), 1)).toBeUndefined()
  })
})
