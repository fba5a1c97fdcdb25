/**
 * The loops of the grammar that can be long. The kind is part of the key under which `ResumableDescent` saves a loop, because
 * loops of several kinds can begin at one offset.
 */
export const LoopKind = {
  statements: 0,
  source: 1,
  steps: 2,
  arguments: 3,
  collection: 4,
  operators: 5,
  links: 6,
  predicates: 7,
  block: 8,
  cases: 9,
  branches: 10,
  holes: 11
} as const

/** More than the largest {@link LoopKind}. */
export const LOOP_KINDS = 12
