import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import { describe, expect, it } from "vitest"
import { HashQueue } from "../../../src/layers/trust/HashQueue.ts"
import { PasswordChecks, unmatchableHash } from "../../../src/layers/trust/PasswordChecks.ts"
import {
  type CredentialStore,
  CredentialsFailed,
  type KnownUser,
  type UserRecord
} from "../../../src/services/Credentials.ts"

const hash = (salt: string): string => `$2a$12$${salt}`

/** Password checks over users in a map. The test ends the comparisons and sets the clock. */
const setting = (users: Readonly<Record<string, string>>, maxFailures = 0) => {
  const records = new Map<string, UserRecord>()
  const put = (name: string, salt: string): void => {
    records.set(name, { name, hash: hash(salt), role: undefined, graphRoles: new Map() })
  }
  for (const [name, salt] of Object.entries(users)) put(name, salt)
  const hashed: Array<{ readonly password: string; readonly hash: string; readonly end: (right: boolean) => void }> = []
  const failures: Array<readonly [string | null, string, string]> = []
  const clock = { now: 0 }
  const queue = new HashQueue((password, of) => new Promise((end) => hashed.push({ password, hash: of, end })))
  const store = { find: (name: string) => records.get(name) ?? null } as unknown as CredentialStore
  const checks = new PasswordChecks(store, {
    maxFailures,
    maxUserFailures: 5 * maxFailures,
    likeHash: [...records.values()][0]?.hash,
    events: { failed: (...failure) => failures.push(failure), unavailable: () => {} },
    hashes: queue,
    now: () => clock.now
  })
  /** The name of the user, or the error of the client; `now` when no comparison was needed. */
  const check = (name: string, password: string, address = "10.0.0.1"): Promise<string> => {
    const answer = checks.check(name, password, address)
    if (!Effect.isEffect(answer)) return Promise.resolve(`${answer.name} at once`)
    return Effect.runPromise(
      Effect.map(
        Effect.either(answer),
        Either.match({ onLeft: ({ message }) => message, onRight: (user) => user.name })
      )
    )
  }
  /** Lets all started work begin. */
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  return { check, clock, failures, hashed, put, records, settle }
}

describe("A password", () => {
  it("that was correct is hashed again only after 60 seconds", async () => {
    const { check, clock, hashed, settle } = setting({ marko: "a" })
    const first = check("marko", "secret")
    await settle()
    hashed[0]!.end(true)
    expect(await first).toBe("marko")
    clock.now = 59_999
    expect(await check("marko", "secret")).toBe("marko at once")
    expect(hashed).toHaveLength(1)
    clock.now = 60_000
    const again = check("marko", "secret")
    await settle()
    expect(hashed).toHaveLength(2)
    hashed[1]!.end(true)
    expect(await again).toBe("marko")
  })

  it("that was correct is forgotten when the hash changes, and is not valid for other users", async () => {
    const { check, hashed, put, records, settle } = setting({ marko: "a", josh: "b" })
    const first = check("marko", "secret")
    await settle()
    hashed[0]!.end(true)
    await first
    for (const change of [() => put("marko", "c"), () => records.delete("marko")]) {
      change()
      const after = check("marko", "secret")
      await settle()
      hashed.at(-1)!.end(false)
      expect(await after).toBe("Username and/or password are incorrect")
    }
    const other = check("josh", "secret")
    await settle()
    expect(hashed.at(-1)!.hash).toBe(hash("b"))
    hashed.at(-1)!.end(false)
    expect(await other).toBe("Username and/or password are incorrect")
  })

  it("of an unknown user is hashed at the cost of the others, with the same error", async () => {
    const { check, failures, hashed, settle } = setting({ marko: "a" })
    const answers = [check("marko", "wrong"), check("nobody", "wrong")]
    await settle()
    expect(hashed.map((job) => job.hash)).toEqual([hash("a"), `$2a$12$${unmatchableHash}`])
    for (const job of hashed) job.end(false)
    expect(new Set(await Promise.all(answers))).toEqual(new Set(["Username and/or password are incorrect"]))
    expect(failures.map(([name]) => name)).toEqual(["marko", null])
  })

  it("is neither correct nor wrong while the users cannot be read, and only the log has the reason", async () => {
    const reason = "no host of the cluster answers"
    const store = { find: () => Effect.fail(new CredentialsFailed({ reason })) } as unknown as CredentialStore
    const told: Array<string> = []
    const unavailable = (error: CredentialsFailed): void => void told.push(error.message)
    const events = { failed: () => told.push("failed"), unavailable }
    const checks = new PasswordChecks(store, { maxFailures: 1, maxUserFailures: 5, likeHash: undefined, events })
    for (let i = 0; i < 3; i++) {
      const answer = checks.check("marko", "secret", "10.0.0.1")
      const failure = await Effect.runPromise(Effect.flip(answer as Effect.Effect<KnownUser, Error>))
      expect(failure).toMatchObject({ _tag: "StorageFailure" })
      expect(failure.message).not.toContain(reason)
    }
    expect(told).toEqual([reason, reason, reason])
  })

  it("is refused when it or the name is too long, and little of it is kept", async () => {
    const name = "n".repeat(257)
    const { check, hashed, settle } = setting({ [name]: "a", ["n".repeat(256)]: "b", marko: "c" }, 2)
    for (const [who, password] of [
      [name, "secret"],
      ["n".repeat(1_000_000), "secret"],
      ["marko", "p".repeat(1_025)]
    ] as const) {
      const answer = check(who, password, `10.0.0.${hashed.length}`)
      await settle()
      expect(hashed.at(-1)!.password).toBe("-")
      hashed.at(-1)!.end(true)
      expect(await answer).toBe("Username and/or password are incorrect")
    }
    // Long names with the same beginning are counted together.
    for (let i = 3; i < 11; i++) {
      const answer = check(`${"n".repeat(256)}${i}`, "guess", `10.0.0.${i}`)
      await settle()
      hashed.at(-1)!.end(false)
      await answer
    }
    expect(await check("n".repeat(500), "guess", "10.0.0.99")).toContain("Too many attempts")
  })

  it("is hashed with at most one other at a time, waits in order, and is refused when too many wait", async () => {
    const { check, hashed, settle } = setting({ marko: "a" })
    const answers = Array.from({ length: 258 }, (_, i) => check("marko", `guess ${i}`))
    await settle()
    expect(hashed.map(({ password }) => password)).toEqual(["guess 0", "guess 1"])
    expect(await check("marko", "one more")).toBe(
      "Too many clients authenticate at the same time. Try again in a few seconds."
    )
    for (let i = 0; i < 258; i++) {
      expect(hashed[i]!.password).toBe(`guess ${i}`)
      hashed[i]!.end(i === 257)
      await settle()
      expect(hashed.length).toBeLessThanOrEqual(i + 3)
    }
    const outcome = await Promise.all(answers)
    expect(outcome.filter((answer) => answer === "marko")).toHaveLength(1)
    expect(outcome.at(-1)).toBe("marko")
  })

  it("that was correct before is compared before guesses, however many wait", async () => {
    const { check, clock, hashed, settle } = setting({ marko: "a", josh: "b" })
    const first = check("marko", "secret")
    await settle()
    hashed[0]!.end(true)
    await first
    clock.now = 60_000
    const guesses = Array.from({ length: 258 }, (_, i) => check("josh", `guess ${i}`))
    await settle()
    expect(await check("josh", "one more")).toContain("Too many clients")
    const again = check("marko", "secret")
    await settle()
    hashed[1]!.end(false)
    await settle()
    expect(hashed[3]!.password).toBe("secret")
    hashed[3]!.end(true)
    expect(await again).toBe("marko")
    for (let i = 2; i < hashed.length; i++) {
      hashed[i]!.end(false)
      await settle()
    }
    await Promise.all(guesses)
  })

  it("is not blocked by waiting guesses of another address", async () => {
    const { check, hashed, settle } = setting({ marko: "a", josh: "b" }, 2)
    const guesses = Array.from({ length: 300 }, (_, i) => check("josh", `guess ${i}`, "10.0.0.9"))
    await settle()
    expect(await guesses.at(-1)).toContain("Too many clients")
    const honest = check("marko", "secret", "10.0.0.1")
    await settle()
    for (let i = 0; i < hashed.length; i++) {
      hashed[i]!.end(hashed[i]!.password === "secret")
      await settle()
    }
    expect(await honest).toBe("marko")
    expect(hashed).toHaveLength(3)
    for (const answer of await Promise.all(guesses)) expect(answer).not.toBe("josh")
  })

  it("that is correct is not refused because of concurrent ones, and wrong ones stay within the limit", async () => {
    const names = Array.from({ length: 50 }, (_, i) => `user${i}`)
    const users = Object.fromEntries(names.map((name) => [name, name]))
    const right = setting(users, 3)
    const answers = names.map((name) => right.check(name, "secret"))
    for (let i = 0; i < names.length; i++) {
      await right.settle()
      right.hashed[i]!.end(true)
    }
    expect(await Promise.all(answers)).toEqual(names)

    const wrong = setting(users, 3)
    const refused = names.map((name) => wrong.check(name, "guess"))
    for (let i = 0; i < 3; i++) {
      await wrong.settle()
      wrong.hashed[i]!.end(false)
    }
    const told = await Promise.all(refused)
    expect(told.filter((message) => message.includes("incorrect"))).toHaveLength(3)
    expect(told.filter((message) => message.includes("Too many attempts"))).toHaveLength(47)
    expect(wrong.hashed).toHaveLength(3)
  })

  it("is compared by bcrypt on another thread: the event loop is not blocked", async () => {
    const { hash: bcrypt } = await import("@node-rs/bcrypt")
    const stored = await bcrypt("secret", { cost: 11 })
    const queue = new HashQueue()
    await queue.matches("warm", stored)
    let turns = 0
    let comparing = true
    const turn = (): void => {
      turns++
      if (comparing) setImmediate(turn)
    }
    const both = Promise.all([queue.matches("secret", stored), queue.matches("wrong", stored)])
    setImmediate(turn)
    expect(await both).toEqual([true, false])
    comparing = false
    expect(turns).toBeGreaterThan(10)
    expect(await queue.matches("secret", "no hash")).toBe(false)
  })

  it("that cannot be compared is not counted as wrong: the check fails", async () => {
    let works = false
    const hashes = new HashQueue(() => (works ? Promise.resolve(true) : Promise.reject(new Error("no bcrypt"))))
    const events = { failed: () => expect.unreachable("no password was wrong"), unavailable: () => {} }
    const users = { find: () => ({ name: "marko", hash: "x", role: undefined, graphRoles: new Map() }) }
    const checks = new PasswordChecks(users as never, {
      maxFailures: 1,
      maxUserFailures: 5,
      likeHash: undefined,
      events,
      hashes
    })
    const check = async () => {
      const exit = await Effect.runPromiseExit(checks.check("marko", "secret", "127.0.0.1") as Effect.Effect<KnownUser>)
      return Exit.match(exit, { onSuccess: ({ name }) => name, onFailure: Cause.pretty })
    }
    for (let i = 0; i < 3; i++) expect(await check()).toContain("no bcrypt")
    works = true
    expect(await check()).toBe("marko")
  })

  it("counts against its address and its user when it is wrong, and not when it is correct", async () => {
    const { check, hashed, settle } = setting({ marko: "a", josh: "b" }, 2)
    const outcome = async (right: boolean, ...attempt: Parameters<typeof check>): Promise<string> => {
      const answer = check(...attempt)
      await settle()
      hashed.at(-1)?.end(right)
      return answer
    }
    for (let i = 0; i < 5; i++) expect(await outcome(true, "marko", `right ${i}`)).toBe("marko")
    for (let i = 0; i < 2; i++) expect(await outcome(false, "marko", `wrong ${i}`)).toContain("incorrect")
    const before = hashed.length
    expect(await outcome(true, "josh", "x")).toBe(
      "Too many attempts to authenticate have failed for this user or from this address. Try again in 30 seconds."
    )
    expect(hashed).toHaveLength(before)
    expect(await outcome(true, "josh", "x", "10.0.0.2")).toBe("josh")
    for (let i = 3; i < 7; i++) await outcome(false, "marko", `wrong ${i}`, `10.0.0.${i}`)
    for (let i = 7; i < 11; i++) await outcome(false, "marko", `wrong ${i}`, `10.0.0.${i}`)
    expect(await outcome(true, "marko", "x", "10.0.0.99")).toContain("Too many attempts")
    // A password that was correct before needs no token.
    expect(await check("marko", "right 4")).toBe("marko at once")
  })
})
