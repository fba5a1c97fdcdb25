import * as Effect from "effect/Effect"
import { afterEach, describe, expect, it, vi } from "vitest"
import { HashQueue } from "../../../src/layers/trust/HashQueue.ts"
import { PasswordChecks } from "../../../src/layers/trust/PasswordChecks.ts"
import { parseToken, Tokens } from "../../../src/layers/trust/Tokens.ts"
import type { CredentialStore, UserRecord } from "../../../src/services/Credentials.ts"

/** The arguments of the cryptographic functions of Node.js, which work as usual. */
const seen = vi.hoisted(() => ({
  compared: [] as Array<readonly [Buffer, Buffer]>,
  digests: [] as Array<string>,
  keys: [] as Array<Buffer>
}))

vi.mock("node:crypto", async (original) => {
  const crypto = await original<typeof import("node:crypto")>()
  return {
    ...crypto,
    timingSafeEqual: (one: Buffer, other: Buffer): boolean => {
      seen.compared.push([one, other])
      return crypto.timingSafeEqual(one, other)
    },
    createHmac: (algorithm: string, key: Buffer) => {
      seen.keys.push(key)
      const mac = crypto.createHmac(algorithm, key)
      const digest = mac.digest.bind(mac)
      mac.digest = ((encoding: "base64") => {
        const result = digest(encoding)
        if (typeof result === "string") seen.digests.push(result)
        return result
      }) as typeof mac.digest
      return mac
    }
  }
})

afterEach(() => {
  for (const list of Object.values(seen)) list.length = 0
  vi.restoreAllMocks()
})

const stephen: UserRecord = {
  name: "stephen",
  hash: "$2a$04$ZHmbKZnTzzwpmyyF8iHpZuRYd5nVZ7JbKyhJbFPx1M3uBbSPXqPbG",
  role: undefined,
  graphRoles: new Map()
}

describe("Secrets", () => {
  it("in tokens are compared in constant time, for unknown users, too", () => {
    const tokens = new Tokens({ secret: "secret", algorithm: "HmacSHA256", timeout: 1_000 })
    const token = parseToken(tokens.make(stephen))!
    for (const mac of [token.mac, Buffer.alloc(32), Buffer.concat([token.mac.subarray(0, 31), Buffer.from([0])])]) {
      seen.compared.length = 0
      for (const user of [stephen, null]) tokens.isGenuine({ ...token, mac }, user)
      expect(seen.compared.map(([, given]) => given)).toEqual([mac, mac])
    }
  })

  it("that were correct are cached as digests with a key of the process, and never as text", async () => {
    const kept: Array<unknown> = []
    const put = Map.prototype.set
    vi.spyOn(Map.prototype, "set").mockImplementation(function (this: Map<unknown, unknown>, key, value) {
      kept.push(key, value)
      return put.call(this, key, value)
    })
    const digests = new Set<string>()
    for (let process = 0; process < 2; process++) {
      const store = { find: () => stephen } as unknown as CredentialStore
      const checks = new PasswordChecks(store, {
        maxFailures: 0,
        maxUserFailures: 0,
        likeHash: undefined,
        events: { failed: () => {}, unavailable: () => {} },
        hashes: new HashQueue(() => Promise.resolve(true))
      })
      const ask = () => checks.check("stephen", "a password", "10.0.0.1")
      const first = ask()
      if (!Effect.isEffect(first)) throw new Error("nobody has asked before")
      await Effect.runPromise(first)
      expect(Effect.isEffect(ask())).toBe(false)
      for (const digest of seen.digests) digests.add(digest)
    }
    // Each process has its own key, of 32 bytes.
    expect(digests.size).toBe(2)
    expect(new Set(seen.keys.map((key) => key.toString("hex"))).size).toBe(2)
    for (const key of seen.keys) expect(key.length).toBe(32)
    for (const digest of digests) expect(kept).toContain(digest)
    expect(kept.some((value) => JSON.stringify(value)?.includes("a password") ?? false)).toBe(false)
  })
})
