import type { Line } from "./Line.ts"

/** A difference that comes from the nature of the statement or of the reference. */
interface Reason {
  /** Finds the statement; undefined for any. */
  readonly statement?: RegExp
  /** Finds the error of the reference; undefined for any answer. */
  readonly error?: RegExp
  readonly reason: string
}

const reasons: readonly Reason[] = [
  { statement: /\b(?:coin|sample|shuffle)\(|\bshuffle\b|new Random\(/, reason: "the result is random" },
  { statement: /\.(?:difference|disjunct|intersect|merge)\(/, reason: "a set has no order" },
  {
    statement: /limit\(local, ?\d+\)|\.select\(values\)|\btree\(/,
    reason: "equal values and keys of a map have no order"
  },
  { statement: /\.explain\(\)/, reason: "each server has its own strategies" },
  { statement: /\.profile\(\)|\.runtime\b/, reason: "times and own strategies" },
  {
    statement: /toString\(\)|\bfeatures\(\)/,
    reason: "the text of a traversal is its Gremlin, and each server has its own features"
  },
  { statement: /Geoshape\.circle/, reason: "the reference rounds the radius" },
  { statement: /getOpenInstances\(/, reason: "names of instances" },
  { error: /data\/|NoSuchFile|does not exist/, reason: "the reference lacks a file" },
  { error: /readonly property: desc/, reason: "the variable is a constant of the reference, so it is never assigned" },
  { error: /does not support TTL/, reason: "the reference in memory has no TTL" },
  {
    error: /No such property: \w+ for class/,
    reason: "the reference does not import the class, or an earlier statement failed there"
  }
]

/** Why the answers to a statement differ though neither is wrong; undefined if nothing explains it. */
export const reasonOfDifference = ({ statement, there }: Pick<Line, "statement" | "there">): string | undefined =>
  reasons.find(
    ({ error, statement: pattern }) =>
      (pattern === undefined || pattern.test(statement.text)) &&
      (error === undefined || (there?.kind === "error" && error.test(there.message)))
  )?.reason
