/**
 * What the compiler, the strategies and the machine may know of a step. Each step declares its traits in its own file.
 * They are read while a traversal is planned, and by a {@link Scout}; all of them are required.
 */
export interface StepTraits {
  /**
   * How the step works on rows, the steps in its children aside.
   * - `streams`: row by row and in order. It remembers nothing and has no effect.
   * - `collects`: it remembers rows. It has no effect outside its traversal.
   * - `tallies`: as `collects`, and its result does not depend on the order of its rows.
   * - `ordered`: it has no effect, but its work depends on where its rows come from and in which order.
   * - `acts`: it has an effect, draws at random, or depends on time.
   */
  readonly work: "streams" | "collects" | "tallies" | "ordered" | "acts"
  /**
   * What a scout does at the step, unless the step has a method for it.
   * - `runs`: it runs the step.
   * - `passes`: it runs the children and lets the rows pass.
   * - `stops`: it runs the children and goes no further.
   */
  readonly scout: "runs" | "passes" | "stops"
  /**
   * Rows that the step takes in before it gives any out. Steps with `some` or `all` are what TinkerPop calls barriers.
   * With `some` it gives out rows before it has seen all of them.
   */
  readonly gathers: "nothing" | "some" | "all"
  /**
   * How limit(), skip() and range() relate to the step.
   * - `stay`: one behind the step stays there.
   * - `pass`: one behind the step may come before it, because the step gives one object for each.
   * - `is`: the step is such a limit: it may end before it has seen all rows.
   */
  readonly limits: "stay" | "pass" | "is"
  /**
   * What comes of rows.
   * - `perRow`: what comes of each row. A barrier behind the step merges nothing that a barrier before it would not.
   * - `many`: several objects of each row, so that equal rows are likely: a barrier behind it may merge them.
   * - `one`: one object of all rows. Such a step cannot stand right in the body of a repeat().
   * - `own`: rows that the step brings itself, beside those that come. Such a step cannot stand in a repeat().
   */
  readonly results: "perRow" | "many" | "one" | "own"
  /** Whether it gives a result even when no row came. */
  readonly answersEmpty: boolean
  /** Whether its rows hold the same object behind it as before it: then the path does not grow. */
  readonly keepsObject: boolean
  /**
   * - `no`: it is no filter.
   * - `plain`: a filter by the object of the row alone.
   * - `asks`: a filter that asks children or reads labels.
   *
   * A filter over a child that consists of filters is replaced by those.
   */
  readonly filter: "no" | "plain" | "asks"
  /**
   * Steps with a rank change places where they follow each other: that with the lower rank comes first. From 1 (cheap) to
   * 10; 0 = the step stays where it is.
   */
  readonly rank: number
  /**
   * What the step does to equal rows.
   * - `none`: nothing.
   * - `before`: it merges them before it works.
   * - `behind`: it works on each of them, and merges what it gives.
   * - `joins`: rows behind it differ from each other, because it merges equal ones.
   * - `drops`: rows behind it differ from each other, because it drops those that came before.
   * - `forbids`: no barrier may be added to its traversal, where it would show.
   */
  readonly merging: "none" | "before" | "behind" | "joins" | "drops" | "forbids"
  /**
   * How the step uses labels of as().
   * - `none`: not, or only as its arguments say.
   * - `processes`: TinkerPop counts it as a path processor: labels may be dropped behind it, and a barrier may follow.
   * - `variable`: it is an end of a where() traversal, and reads the label for the where().
   * - `binds`: it goes on from what labels are bound to, as match() does.
   */
  readonly labels: "none" | "processes" | "variable" | "binds"
  /**
   * What it does with the results of its children.
   * - `none`: it has no children.
   * - `asked`: it takes the first result for each row, or whether there is one.
   * - `drained`: it takes every result, and gives none of them.
   * - `given`: their results are its results.
   * - `flowing`: the same, and the rows keep the paths that they have in the child.
   * - `local`: the same as `flowing`, and steps behind see side effects of the child row by row.
   * - `branches`: they are part of its plan, and rows enter them.
   * - `loop`: the same, and rows may enter again.
   */
  readonly children: "none" | "asked" | "drained" | "given" | "flowing" | "local" | "branches" | "loop"
  /**
   * - `plain`: any step.
   * - `loopEntry`: the first step in the body of a loop, where rows wait for their round.
   * - `loopEnd`: the last step in the body of a loop.
   * - `discards`: no row leaves it.
   * - `measures`: the steps before it measure themselves.
   */
  readonly role: "plain" | "loopEntry" | "loopEnd" | "discards" | "measures"
  /**
   * What it does outside of its traversal.
   * - `reads`: it changes nothing.
   * - `writes`: it changes the graph.
   * - `files`: it writes files.
   * - `services`: it calls services.
   */
  readonly access: "reads" | "writes" | "files" | "services"
}

/** Traits of a step that gives, for each object, another one or none. */
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

/** Traits of a step that gives a function of each object, as most steps over texts, numbers and lists do. */
export const scalar: StepTraits = mapping({ limits: "stay", labels: "none", children: "none" })

/** Traits of a step that lets rows pass or drops them, each by itself. */
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

/** Traits of a step that gives any number of objects for each, and one whose children do. */
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

/** Traits of a step that makes one object of all rows. */
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

/** Traits of a step that holds rows back, or some of them, and gives them on as they are. */
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

/** Traits of a step that has an effect at each row and lets it pass, or puts another object in its place. */
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
