import { spawnSync } from "node:child_process"
import { describe, expect, it } from "vitest"
import { root } from "./Projects.ts"

/** Older commits have other subjects. */
const SINCE = "2026-11-23T20:00:00Z"
/** Separates commits, and the parts of one. */
const [COMMIT, PART] = ["\u0001", "\u0002"]

/** The subjects and bodies of the commits of this checkout; undefined without a history, as in an archive of the sources. */
const commits = (): ReadonlyArray<readonly [subject: string, body: string]> | undefined => {
  const args = ["log", "--no-merges", `--since=${SINCE}`, `--format=${COMMIT}%s${PART}%b`]
  const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 })
  if (status !== 0) return undefined
  return stdout
    .split(COMMIT)
    .slice(1)
    .map((text) => text.split(PART))
    .map(([subject = "", body = ""]) => [subject.trim(), body.trim()] as const)
}

/** Imperatives that end as other forms of a verb do. */
const IMPERATIVES = /^(?:Bring|Embed|Exceed|Feed|Focus|Need|Proceed|Seed)$/

/** What is wrong with the message of a commit; undefined if nothing is. */
const problemOf = (subject: string, body: string): string | undefined => {
  if (subject.length > 72) return `the subject has ${subject.length} characters`
  const [, verb] = /^([A-Z][a-z]+) \S.*[^.]$/.exec(subject) ?? []
  const isImperative = verb !== undefined && (IMPERATIVES.test(verb) || !/(?:ed|ing|[^s]s)$/.test(verb))
  if (!isImperative) return "the subject is not imperative"
  return body === "" ? "the body is missing" : undefined
}

describe("The message of a commit", () => {
  it("has an imperative subject of at most 72 characters, and a body", ({ skip }) => {
    const all = commits()
    if (all === undefined) return skip("this is no checkout of git")
    const wrong = all.flatMap(([subject, body]) => {
      const problem = problemOf(subject, body)
      return problem === undefined ? [] : [`${subject}: ${problem}`]
    })
    expect(wrong).toEqual([])
  })

  it("is reported if it is too long, not imperative, or without a reason", () => {
    expect(problemOf("Refuse a second lock file", "Two servers wrote one graph.")).toBeUndefined()
    expect(problemOf("Pass the lane to a request", "It has none.")).toBeUndefined()
    expect(problemOf(`Refuse ${"x".repeat(70)}`, "why")).toContain("77 characters")
    for (const subject of ["Refused a lock", "Refusing a lock", "Refuses a lock", "refuse a lock", "Refuse a lock."]) {
      expect(problemOf(subject, "why")).toContain("imperative")
    }
    expect(problemOf("Refuse a second lock file", "")).toContain("body")
  })
})
