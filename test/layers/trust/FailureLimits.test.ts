import { describe, expect, it } from "vitest"
import { FailureLimits, network } from "../../../src/layers/trust/FailureLimits.ts"

const fail = (limits: FailureLimits, address: string, user: string): void => {
  expect(limits.take(address, user)).toBe(0)
  limits.end(address, user, true)
}

describe("Failures", () => {
  it("of one address are limited, and other addresses are not affected", () => {
    let now = 0
    const limits = new FailureLimits({ perAddress: 6, perUser: 30 }, () => now)
    for (let i = 0; i < 6; i++) fail(limits, "10.0.0.1", `user${i}`)
    expect(limits.take("10.0.0.1", "user")).toBe(10_000)
    expect(limits.take("10.0.0.2", "user")).toBe(0)
    now += 10_000
    fail(limits, "10.0.0.1", "user")
    expect(limits.take("10.0.0.1", "user")).toBeGreaterThan(0)
  })

  it("of one user are limited for all addresses together", () => {
    const limits = new FailureLimits({ perAddress: 2, perUser: 10 }, () => 0)
    for (let i = 0; i < 10; i++) fail(limits, `10.0.0.${i}`, "user")
    expect(limits.take("10.0.0.99", "user")).toBeGreaterThan(0)
    expect(limits.take("10.0.0.99", "other")).toBe(0)
  })

  it("of one user are limited without a limit of addresses, and those of one address without a limit of users", () => {
    const ofUsers = new FailureLimits({ perAddress: 0, perUser: 3 }, () => 0)
    for (let i = 0; i < 3; i++) fail(ofUsers, "10.0.0.1", "user")
    expect(ofUsers.take("10.0.0.1", "user")).toBe(20_000)
    expect(ofUsers.take("10.0.0.1", "other")).toBe(0)
    const ofAddresses = new FailureLimits({ perAddress: 3, perUser: 0 }, () => 0)
    for (let i = 0; i < 3; i++) fail(ofAddresses, "10.0.0.1", "user")
    expect(ofAddresses.take("10.0.0.1", "user")).toBe(20_000)
    for (let i = 0; i < 100; i++) fail(ofAddresses, `10.0.1.${i}`, "user")
    const none = new FailureLimits({ perAddress: 0, perUser: 0 }, () => 0)
    for (let i = 0; i < 1_000; i++) fail(none, "10.0.0.1", "user")
  })

  it("that the limit of their address refuses do not count for their user", () => {
    const limits = new FailureLimits({ perAddress: 2, perUser: 10 }, () => 0)
    for (let i = 0; i < 2; i++) fail(limits, "10.0.0.1", "user")
    for (let i = 0; i < 100; i++) expect(limits.take("10.0.0.1", "user")).toBeGreaterThan(0)
    expect(limits.take("10.0.0.2", "user")).toBe(0)
  })

  it("are counted before the outcome is known, and returned after a success", () => {
    const limits = new FailureLimits({ perAddress: 1, perUser: 5 }, () => 0)
    for (let i = 0; i < 10; i++) {
      expect(limits.take("10.0.0.1", "user")).toBe(0)
      limits.end("10.0.0.1", "user", false)
    }
  })

  it("with an unknown outcome may still become successes", () => {
    const limits = new FailureLimits({ perAddress: 2, perUser: 10 }, () => 0)
    for (let i = 0; i < 2; i++) expect(limits.take("10.0.0.1", `user${i}`)).toBe(0)
    expect(limits.take("10.0.0.1", "user")).toBe("pending")
    limits.end("10.0.0.1", "user0", true)
    expect(limits.take("10.0.0.1", "user")).toBe("pending")
    limits.end("10.0.0.1", "user1", false)
    expect(limits.take("10.0.0.1", "user")).toBe(0)
    limits.end("10.0.0.1", "user", true)
    expect(limits.take("10.0.0.1", "user")).toBe(30_000)
  })

  it("of a user are counted whatever names and addresses others invent", () => {
    const limits = new FailureLimits({ perAddress: 2, perUser: 10 }, () => 0)
    for (let i = 0; i < 10; i++) fail(limits, `10.0.0.${i}`, "user")
    for (let i = 0; i < 2; i++) fail(limits, "10.0.1.1", "other")
    let admitted = 0
    for (let i = 0; i < 50_000; i++) if (limits.take("10.0.1.1", `name ${i}`) === 0) admitted++
    expect(limits.take("10.0.2.1", "user")).toBeGreaterThan(0)
    for (let i = 0; i < 50_000; i++) if (limits.take(`address ${i}`, "user") === 0) admitted++
    expect(limits.take("10.0.1.1", "someone")).toBeGreaterThan(0)
    expect(admitted).toBe(0)
  })

  it("of a user are counted although more names have failures than are counted at a time", () => {
    const limits = new FailureLimits({ perAddress: 10, perUser: 10 }, () => 0)
    for (let i = 0; i < 10; i++) fail(limits, `10.0.0.${i}`, "user")
    for (let i = 0; i < 25_000; i++) fail(limits, `address ${i}`, `name ${i}`)
    expect(limits.take("10.0.2.1", "user")).toBeGreaterThan(0)
  })

  it("are counted for a bounded number of addresses", () => {
    const limits = new FailureLimits({ perAddress: 1, perUser: 5 }, () => 0)
    for (let i = 0; i < 100_000; i++) {
      limits.take(`address ${i}`, `user ${i}`)
      limits.end(`address ${i}`, `user ${i}`, true)
    }
    expect(limits.take("address 99999", "someone")).toBeGreaterThan(0)
  })
})

describe("An address", () => {
  it("is counted by the network of one customer", () => {
    expect(network("::ffff:10.0.0.1")).toBe(network("10.0.0.1"))
    expect(network("2001:db8:1:2:aaaa::1")).toBe(network("2001:DB8:1:2::ffff%eth0"))
    expect(network("2001:db8::1")).toBe("2001:db8:0:0")
    expect(network("::1")).toBe("0:0:0:0")
    expect(network("2001:db8:1:3::1")).not.toBe(network("2001:db8:1:2::1"))
  })
})
