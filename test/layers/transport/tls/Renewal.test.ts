import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { connect } from "node:tls"
import { expect, it, vi } from "vitest"
import { defaultSettings } from "../../../../src/index.ts"
import { newFolder } from "../../../Folders.ts"
import { certify } from "../../support/Certificates.ts"
import { sourcesOnly } from "../../support/Packed.ts"
import { eventually, startInside } from "../../support/TestServers.ts"

/** Called once after a file of this name was read. */
const reading = vi.hoisted(() => ({ name: "", done: () => {} }))

vi.mock("node:fs/promises", async (original) => {
  const files = await original<typeof import("node:fs/promises")>()
  return {
    ...files,
    readFile: async (path: string, ...rest: ReadonlyArray<never>) => {
      const bytes = await files.readFile(path, ...rest)
      if (reading.name !== "" && String(path).endsWith(reading.name)) {
        reading.name = ""
        reading.done()
      }
      return bytes
    }
  }
})

sourcesOnly("replaces the reading of files within the modules of the server")

/** The serial number of the certificate that new connections get. */
const served = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256)
      socket.destroy()
    })
    socket.on("error", reject)
  })

it("A certificate that is renewed while the server starts is used", async () => {
  const folder = newFolder()
  const [keyCertChainFile, keyFile] = [join(folder, "tls.crt"), join(folder, "tls.key")]
  const write = ({ certificate, key }: ReturnType<typeof certify>): void => {
    writeFileSync(keyCertChainFile, certificate)
    writeFileSync(keyFile, key)
  }
  write(certify("localhost"))
  const renewed = certify("localhost")
  reading.done = () => write(renewed)
  reading.name = "tls.key"
  const ssl = { ...defaultSettings().ssl, enabled: true, keyCertChainFile, keyFile, refreshInterval: 20 }
  const server = await startInside({ ssl })
  expect(reading.name).toBe("")
  await eventually(() => server.log.some((line) => line.includes("The certificates of TLS have changed")))
  expect(await served(server.port)).toMatch(/^[0-9A-F:]+$/)
})
