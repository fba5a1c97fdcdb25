import type { BarrierGroup } from "../plan/Activation.ts"
import type { LoopFrame } from "../plan/Batch.ts"
import type { Step } from "../plan/Step.ts"

/** A group with its step. */
interface StepGroup extends BarrierGroup {
  readonly step: Step
}

interface Ordered extends StepGroup {
  /** Its place among the others, once there are others. */
  key: ReadonlyArray<number> | null
}

/** Groups from which on they are also found by their steps: a plan may have thousands of barriers. */
const MANY = 16

/** The groups of one activation, in the order in which they are to be flushed. */
export class Barriers {
  /** The next to flush is the last: furthest upstream, in the earliest round. */
  #groups: Array<Ordered> = []
  #bySteps: Map<Step, Array<Ordered>> | null = null

  get length(): number {
    return this.#groups.length
  }

  /** The group to flush first; there must be one. */
  get first(): StepGroup {
    return this.#groups[this.#groups.length - 1]!
  }

  /** The group in which `step` collects rows of these loops; made on first use. */
  group(step: Step, loops: LoopFrame | null): StepGroup {
    const candidates = this.#bySteps === null ? this.#groups : this.#bySteps.get(step)
    if (candidates !== undefined) {
      for (const group of candidates) if (group.step === step && group.loops === loops) return group
    }
    const group: Ordered = { step, loops, cells: [], cursor: 0, entered: null, key: null }
    this.#insert(group)
    return group
  }

  #insert(group: Ordered): void {
    const groups = this.#groups
    let low = 0
    for (let high = groups.length; low < high; ) {
      const middle = (low + high) >> 1
      if (isBefore(group, groups[middle]!)) low = middle + 1
      else high = middle
    }
    if (low === groups.length) groups.push(group)
    else groups.splice(low, 0, group)
    if (groups.length >= MANY) this.#note(group)
  }

  #note(group: Ordered): void {
    if (this.#bySteps === null) {
      this.#bySteps = new Map()
      for (const each of this.#groups) this.#note(each)
      return
    }
    const known = this.#bySteps.get(group.step)
    if (known === undefined) this.#bySteps.set(group.step, [group])
    else known.push(group)
  }

  remove(group: StepGroup): void {
    // Its flush may have opened others upstream of it.
    const at = this.#groups.lastIndexOf(group as Ordered)
    if (at === this.#groups.length - 1) this.#groups.pop()
    else if (at >= 0) this.#groups.splice(at, 1)
    const known = this.#bySteps?.get(group.step)
    const place = known?.indexOf(group as Ordered) ?? -1
    if (known === undefined || place < 0) return
    known.splice(place, 1)
    if (known.length === 0) this.#bySteps!.delete(group.step)
  }

  /** Forgets the groups of steps before one. */
  forgetBefore(step: Step): void {
    this.#groups = this.#groups.filter((group) => group.step.index >= step.index)
    if (this.#bySteps === null) return
    this.#bySteps = null
    if (this.#groups.length >= MANY) this.#note(this.#groups[0]!)
  }
}

/** True when the group's barrier is to be flushed before the other: upstream of it, or in an earlier round. */
const isBefore = (a: Ordered, b: Ordered): boolean => {
  a.key ??= flushKey(a)
  b.key ??= flushKey(b)
  const [keyA, keyB] = [a.key, b.key]
  for (let i = 0; i < keyA.length && i < keyB.length; i++) if (keyA[i] !== keyB[i]) return keyA[i]! < keyB[i]!
  return keyA.length < keyB.length
}

/** Program order with rounds: [repeat, round, ...] from the outermost loop inwards, then the step. */
const flushKey = (group: StepGroup): ReadonlyArray<number> => {
  const key: Array<number> = [group.step.position]
  for (let frame = group.loops; frame !== null; frame = frame.outer) key.unshift(frame.position, frame.count)
  return key
}
