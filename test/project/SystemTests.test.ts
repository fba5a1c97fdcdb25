import { expect, it } from "vitest"
import { systemTests } from "../packed/SystemTests.ts"
import { root } from "./Projects.ts"

it("The tests of clients, commands, transports, management paths and tools run against the built package, too", () => {
  expect(systemTests(root)).toEqual(
    expect.arrayContaining([
      "test/clients/JavaScript.test.ts",
      "test/documentation/Examples.test.ts",
      "test/layers/EngineServer.test.ts",
      "test/layers/Shutdown.test.ts",
      "test/layers/commands/CredentialsCommand.test.ts",
      "test/layers/graphs/LmdbGraphs.test.ts",
      "test/layers/management/Management.test.ts",
      "test/layers/observability/InternalErrors.test.ts",
      "test/layers/tools/LiveServer.test.ts",
      "test/layers/transport/Http.test.ts",
      "test/layers/transport/Paths.test.ts",
      "test/layers/transport/WebSocket.test.ts",
      "test/layers/trust/ClientAuthentication.test.ts"
    ])
  )
})

it("A test of one module does not run against the built package, which has no modules", () => {
  const files = systemTests(root)
  expect(files).not.toContain("test/layers/config/PropertiesFile.test.ts")
  expect(files.filter((file) => file.startsWith("test/structure/"))).toEqual([])
})
