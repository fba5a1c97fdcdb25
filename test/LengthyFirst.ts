import { relative } from "node:path"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { lengthy } from "./Tiers.ts"

/**
 * Begins with the lengthy files. vitest begins with the largest ones where it knows no durations, as after `npm ci`: a small file that
 * takes minutes then ran last, beside a core without work.
 */
export class LengthyFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    const isLengthy = ({ moduleId }: TestSpecification): boolean =>
      lengthy.includes(relative(this.ctx.config.root, moduleId))
    return [...sorted.filter(isLengthy), ...sorted.filter((file) => !isLengthy(file))]
  }
}
