import * as Redacted from "effect/Redacted"
import { expect, it } from "vitest"
import { settingsOfText, settingsText } from "../../../src/layers/commands/WorkerSettings.ts"
import { defaultSettings } from "../../../src/services/Config.ts"

it("Settings for a worker survive as text, secrets included", () => {
  const { authentication } = defaultSettings()
  const settings = defaultSettings({
    authentication: { ...authentication, hmacSecret: Redacted.make("a secret"), defaultUsername: undefined }
  })
  const read = settingsOfText(settingsText(settings))
  const { hmacSecret } = read.authentication
  expect(hmacSecret === undefined ? undefined : Redacted.value(hmacSecret)).toBe("a secret")
  expect(String(hmacSecret)).toBe("<redacted>")
  expect({ ...read, authentication: null }).toEqual({ ...settings, authentication: null })
  expect("defaultUsername" in read.authentication).toBe(true)
})
