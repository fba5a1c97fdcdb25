import { rmSync, writeFileSync } from "node:fs"
import type { Server } from "node:https"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { expect, it } from "vitest"
import { certificateTimes, reloadCertificates } from "../../../../src/layers/transport/tls/TlsFront.ts"
import { defaultSettings } from "../../../../src/services/DefaultSettings.ts"
import { newFolder } from "../../../Folders.ts"
import { certify } from "../../support/Certificates.ts"
import { eventually } from "../../support/TestServers.ts"

it("New certificates that cannot be used are tried again until they can, and each reason is in the log once", async () => {
  const folder = newFolder()
  const [keyCertChainFile, keyFile] = [join(folder, "tls.crt"), join(folder, "tls.key")]
  const { certificate, key } = certify("localhost")
  writeFileSync(keyCertChainFile, certificate)
  writeFileSync(keyFile, key)
  const log: Array<string> = []
  let attempts = 0
  let isShort = true
  const server = {
    setSecureContext: () => {
      attempts++
      if (isShort) throw new Error("no memory for a context")
    }
  } as unknown as Server
  const ssl = { ...defaultSettings().ssl, enabled: true, keyCertChainFile, keyFile, refreshInterval: 5 }
  const logged = Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ logLevel, message }) => {
      log.push(`${logLevel.label} ${message}`)
    })
  )
  const test = Effect.gen(function* () {
    yield* reloadCertificates(server, ssl, yield* certificateTimes(ssl))
    writeFileSync(keyFile, `${key}\n`)
    yield* Effect.promise(() => eventually(() => attempts > 3))
    rmSync(keyFile)
    yield* Effect.promise(() => eventually(() => log.length === 2))
    isShort = false
    writeFileSync(keyFile, key)
    yield* Effect.promise(() => eventually(() => log.length === 3))
  })
  await Effect.runPromise(Effect.scoped(test).pipe(Effect.provide(logged)))
  const failed = "ERROR The certificates of TLS have changed and cannot be used; the old ones stay."
  expect(log).toEqual([
    `${failed} no memory for a context`,
    expect.stringContaining("tls.key cannot be read"),
    "INFO The certificates of TLS have changed; new connections use the new ones"
  ])
})
