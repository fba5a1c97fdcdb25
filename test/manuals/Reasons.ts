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
  { statement: /getGeometryCollectionBuilder/, reason: "a rectangle of a builder is a box here" },
  { statement: /new BaseConfiguration\(/, reason: "a configuration is a map here" },
  { statement: /getOpenInstances\(/, reason: "names of instances" },
  { statement: /printSchema\(/, reason: "types have no order" },
  {
    statement: /await\w+IndexStatus\(/,
    reason: "this server builds an index without being told, and waits for its end"
  },
  { statement: /SchemaAction\.(?:REINDEX|DISCARD_INDEX|MARK_DISCARDED)|future\.get\(\)/, reason: "the text of a job" },
  { statement: /^\s*(?:not\()?between\(/, reason: "a predicate has another text" },
  { statement: /\bclock(?:WithResult)?\(/, reason: "times and own strategies" },
  { statement: /\bg\.call\(/, reason: "this server has services of call() without their registration" },
  { statement: /tryNext\(\)|variables\(\)\.get/, reason: "an optional has another text" },
  { statement: /VertexProgram\b|\.compute\(/, reason: "the text of a computation" },
  { statement: /'vp2', ?0\.65780294/, reason: "a decimal literal is a Double here and a BigDecimal there" },
  { statement: /withSack ?\{ ?\[:\] ?\}/, reason: "a collection is copied for each traverser here" },
  { error: /data\/|NoSuchFile|does not exist/, reason: "the reference lacks a file" },
  { error: /readonly property: desc/, reason: "the variable is a constant of the reference, so it is never assigned" },
  { error: /java\.base does not "opens/, reason: "the reference runs without a flag of Java that Gryo needs" },
  {
    error: /Graph does not support transactions/,
    reason: "a commit of a graph without transactions does nothing here"
  },
  { error: /ThreadLocal\.remove/, reason: "a defect of the reference" },
  { error: /violates a uniqueness constraint/, reason: "this server finds a value that is not unique at the commit" },
  { error: /evaluationTimeout/, reason: "the reference waits until its timeout" },
  { error: /index backend as the data type/, reason: "Lucene lacks the mapping" },
  {
    error: /addKey\(\) is applicable|"idx" is null|Need to provide an index/,
    reason: "an earlier statement failed there"
  },
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
