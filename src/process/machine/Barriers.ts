import type { BarrierGroup } from "../plan/Activation.ts"
import type { LoopFrame } from "../plan/Batch.ts"
import type { Step } from "../plan/Step.ts"

/** A group with its step. */
interface StepGroup extends BarrierGroup {
  readonly step: Step
}

/** A group with its position in the order of flushes. */
interface OrderedGroup extends StepGroup {
  /** Sort key; null before the first comparison. */
  key: ReadonlyArray<number> | null
}

/** Number of groups above which a map finds them by step: a plan may have thousands of barriers. */
const MIN_INDEXED_GROUPS = 16

/** The barrier groups of one activation, in the order in which they are flushed. */
export class Barriers {
  /** The last group is the next to flush: furthest upstream, in the earliest round. */
  #groups: Array<OrderedGroup> = []
  #bySteps: Map<Step, Array<OrderedGroup>> | null = null

  get length(): number {
    return this.#groups.length
  }

  /** The group to flush next. There must be one. */
  get first(): StepGroup {
    return this.#groups[this.#groups.length - 1]!
  }

  /** The group in which `step` collects rows of these loops; made on first use. */
  group(step: Step, loops: LoopFrame | null): StepGroup {
    const candidates = this.#bySteps === null ? this.#groups : this.#bySteps.get(step)
    if (candidates !== undefined) {
      for (const group of candidates) if (group.step === step && group.loops === loops) return group
    }
    const group: OrderedGroup = { step, loops, cells: [], cursor: 0, entered: null, key: null }
    this.#insert(group)
    return group
  }

  #insert(group: OrderedGroup): void {
    const groups = this.#groups
    let low = 0
    for (let high = groups.length; low < high; ) {
      const middle = (low + high) >> 1
      if (isBefore(group, groups[middle]!)) low = middle + 1
      else high = middle
    }
    if (low === groups.length) groups.push(group)
    else groups.splice(low, 0, group)
    if (groups.length >= MIN_INDEXED_GROUPS) this.#note(group)
  }

  #note(group: OrderedGroup): void {
    if (this.#bySteps === null) {
      this.#bySteps = new Map()
      for (const each of this.#groups) this.#note(each)
      return
    }
    const known = this.#bySteps.get(group.step)
    if (known === undefined) this.#bySteps.set(group.step, [group])
    else known.push(group)
  }

  /** Removes a group after its flush. */
  remove(group: StepGroup): void {
    // The flush of the group may have made others upstream of it.
    const at = this.#groups.lastIndexOf(group as OrderedGroup)
    if (at === this.#groups.length - 1) this.#groups.pop()
    else if (at >= 0) this.#groups.splice(at, 1)
    const known = this.#bySteps?.get(group.step)
    const place = known?.indexOf(group as OrderedGroup) ?? -1
    if (known === undefined || place < 0) return
    known.splice(place, 1)
    if (known.length === 0) this.#bySteps!.delete(group.step)
  }

  /** Removes the groups of all steps before a step. */
  forgetBefore(step: Step): void {
    this.#groups = this.#groups.filter((group) => group.step.index >= step.index)
    if (this.#bySteps === null) return
    this.#bySteps = null
    if (this.#groups.length >= MIN_INDEXED_GROUPS) this.#note(this.#groups[0]!)
  }
}

/** Whether group `a` is flushed before group `b`: it is upstream of it, or in an earlier round. */
const isBefore = (a: OrderedGroup, b: OrderedGroup): boolean => {
  a.key ??= flushKey(a)
  b.key ??= flushKey(b)
  const [keyA, keyB] = [a.key, b.key]
  for (let i = 0; i < keyA.length && i < keyB.length; i++) if (keyA[i] !== keyB[i]) return keyA[i]! < keyB[i]!
  return keyA.length < keyB.length
}

/** Program order with rounds: [repeat, round, ...] from the outermost loop to the innermost, then the step. */
const flushKey = (group: StepGroup): ReadonlyArray<number> => {
  const key: Array<number> = [group.step.position]
  for (let frame = group.loops; frame !== null; frame = frame.outer) key.unshift(frame.position, frame.count)
  return key
}
