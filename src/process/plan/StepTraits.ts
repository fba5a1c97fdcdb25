/**
 * The properties of a step that the compiler, the strategies and the machine use. Each step declares its traits in its file.
 * All traits are required. They are read while a traversal is planned, and by a {@link Scout}.
 */
export interface StepTraits {
  /**
   * How the step itself, without its children, works on rows.
   * - `streams`: row by row and in order. It keeps no state and has no effect.
   * - `collects`: it keeps rows. It has no effect outside its traversal.
   * - `tallies`: the same as `collects`, and its result does not depend on the order of rows.
   * - `ordered`: it has no effect, but depends on the order of rows and on the steps that they come from.
   * - `acts`: it has an effect, or depends on random numbers or on time.
   */
  readonly work: "streams" | "collects" | "tallies" | "ordered" | "acts"
  /**
   * What a scout does at the step, unless the step has a method `scout`.
   * - `runs`: it runs the step.
   * - `passes`: it runs the children and passes the rows on.
   * - `stops`: it runs the children and drops the rows.
   */
  readonly scout: "runs" | "passes" | "stops"
  /**
   * The rows that the step takes in before it emits any. `some`: a part of its input. Steps with `some` or `all` are
   * TinkerPop's barriers.
   */
  readonly gathers: "nothing" | "some" | "all"
  /**
   * How a limit (limit(), skip(), range()) after the step relates to it.
   * - `stay`: it stays after the step.
   * - `pass`: it may be moved before the step, which emits one object for each row.
   * - `is`: the step itself is a limit: it may end before it has seen all rows.
   */
  readonly limits: "stay" | "pass" | "is"
  /**
   * The results of the step.
   * - `perRow`: results of each row. A barrier after the step merges no more rows than one before it.
   * - `many`: several objects for each row. Equal rows are likely, and a barrier after the step may merge them.
   * - `one`: one object for all rows. Such a step cannot stand directly in the body of a repeat().
   * - `own`: the incoming rows, and rows that the step itself adds. Such a step cannot stand in a repeat().
   */
  readonly results: "perRow" | "many" | "one" | "own"
  /** Whether it emits a result even without input. */
  readonly answersEmpty: boolean
  /** Whether its rows keep their objects: then the path does not grow. */
  readonly keepsObject: boolean
  /**
   * - `no`: the step is no filter.
   * - `plain`: a filter that uses only the object of the row.
   * - `asks`: a filter that runs children or reads labels.
   *
   * A filter whose child consists of filters is replaced by those filters.
   */
  readonly filter: "no" | "plain" | "asks"
  /**
   * Adjacent steps with a rank are sorted by it, from 1 (cheap) to 10. 0 = the step is never moved.
   */
  readonly rank: number
  /**
   * What the step does with equal rows.
   * - `none`: nothing.
   * - `before`: it merges them before it processes them.
   * - `after`: it processes each of them; its results are merged after it.
   * - `joins`: it merges them, so that its results are distinct.
   * - `drops`: it drops duplicates, so that its results are distinct.
   * - `forbids`: no barrier may be added to its traversal, because it would be observable.
   */
  readonly merging: "none" | "before" | "after" | "joins" | "drops" | "forbids"
  /**
   * How the step uses labels of as().
   * - `none`: it reads none, or only those among its arguments.
   * - `processes`: it is one of TinkerPop's path processors: labels may be dropped after it, and a barrier may follow.
   * - `variable`: it is the start or end of a traversal in where(), and reads the label for the where().
   * - `binds`: it continues from the objects that labels are bound to, as match() does.
   */
  readonly labels: "none" | "processes" | "variable" | "binds"
  /**
   * How the step uses its children.
   * - `none`: it has no children.
   * - `asked`: it uses the first result for each row, or its existence.
   * - `drained`: it takes every result, and emits none of them.
   * - `given`: it emits every result.
   * - `flowing`: the same, and rows keep their paths from the child.
   * - `local`: the same as `flowing`, and later steps see side effects of the child row by row.
   * - `branches`: rows enter the children, which are part of the plan.
   * - `loop`: the same, and rows may enter again.
   */
  readonly children: "none" | "asked" | "drained" | "given" | "flowing" | "local" | "branches" | "loop"
  /**
   * - `plain`: no special role.
   * - `loopEntry`: the first step in the body of a loop, where rows wait for their round.
   * - `discards`: it emits no rows.
   * - `measures`: the steps before it are measured.
   * - `startsAnew`: its results do not depend on the incoming traversers, as those of V() and E().
   * - `splitsSack`: it calls the splitter of withSack().
   */
  readonly role: "plain" | "loopEntry" | "discards" | "measures" | "startsAnew" | "splitsSack"
  /**
   * The access of the step to the outside.
   * - `reads`: it changes nothing.
   * - `writes`: it changes the graph.
   * - `files`: it writes files.
   * - `services`: it calls services.
   */
  readonly access: "reads" | "writes" | "files" | "services"
}

/** Traits of a step that maps each object to another one or none. */
export const mapping = (traits: Pick<StepTraits, "limits" | "labels" | "children">): StepTraits => ({
  work: "streams",
  scout: "runs",
  gathers: "nothing",
  results: "perRow",
  answersEmpty: false,
  keepsObject: false,
  filter: "no",
  rank: 0,
  merging: "none",
  role: "plain",
  access: "reads",
  ...traits
})

/** Traits of a step that applies a function to each object, as most steps over texts, numbers and lists do. */
export const scalar: StepTraits = mapping({ limits: "stay", labels: "none", children: "none" })

/** Traits of a step that passes or drops each row independently of the others. */
export const filtering = (traits: Pick<StepTraits, "filter" | "rank" | "labels" | "children">): StepTraits => ({
  work: "streams",
  scout: "runs",
  gathers: "nothing",
  limits: "stay",
  results: "perRow",
  answersEmpty: false,
  keepsObject: true,
  merging: "none",
  role: "plain",
  access: "reads",
  ...traits
})

/** Traits of a step that emits any number of objects for each row, by itself or with its children. */
export const flattening = (traits: Pick<StepTraits, "results" | "keepsObject" | "children">): StepTraits => ({
  work: "streams",
  scout: "runs",
  gathers: "nothing",
  limits: "stay",
  answersEmpty: false,
  filter: "no",
  rank: 0,
  merging: "none",
  labels: "none",
  role: "plain",
  access: "reads",
  ...traits
})

/** Traits of a step that reduces all rows to one object. */
export const reducing = (traits: Pick<StepTraits, "work" | "answersEmpty" | "children">): StepTraits => ({
  scout: traits.work === "acts" ? "stops" : "runs",
  gathers: "all",
  limits: "stay",
  results: "one",
  keepsObject: false,
  filter: "no",
  rank: 0,
  merging: "none",
  labels: "none",
  role: "plain",
  access: "reads",
  ...traits
})

/** Traits of a step that holds rows back and later passes them on, or some of them, unchanged. */
export const holding = (
  traits: Pick<StepTraits, "work" | "scout" | "gathers" | "limits" | "rank" | "merging" | "children">
): StepTraits => ({
  results: "perRow",
  answersEmpty: false,
  keepsObject: true,
  filter: "no",
  labels: "none",
  role: "plain",
  access: "reads",
  ...traits
})

/** Traits of a step that has an effect for each row and passes the row on, or replaces it by another object. */
export const acting = (
  traits: Pick<StepTraits, "scout" | "limits" | "keepsObject" | "merging" | "children" | "access">
): StepTraits => ({
  work: "acts",
  gathers: "nothing",
  results: "perRow",
  answersEmpty: false,
  filter: "no",
  rank: 0,
  labels: "none",
  role: "plain",
  ...traits
})

/** Traits of a step that adds all rows to a side effect before it passes them on, such as group('key'). */
export const accumulating = (children: StepTraits["children"]): StepTraits =>
  holding({ work: "acts", scout: "passes", gathers: "all", limits: "stay", rank: 0, merging: "after", children })

/** Traits of an internal step that strategies insert: it passes rows on with their objects, and depends on their order. */
export const internal: StepTraits = holding({
  work: "ordered",
  scout: "runs",
  gathers: "nothing",
  limits: "stay",
  rank: 0,
  merging: "none",
  children: "none"
})

/** Traits of a step that puts an element that it creates or finds in the place of each row, such as addV(). */
export const creating: StepTraits = acting({
  scout: "passes",
  limits: "stay",
  keepsObject: false,
  merging: "none",
  children: "asked",
  access: "writes"
})

/** True for a step that emits new traversers for each row, which TinkerPop splits from that of the row. */
export const replacesTraverser = ({ answersEmpty, keepsObject, results }: StepTraits): boolean =>
  !keepsObject && !answersEmpty && (results === "perRow" || results === "many")
