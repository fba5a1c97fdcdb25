import type { JavaRandom } from "../../../structure/numbers/JavaRandom.ts"
import { double, Float } from "../../../structure/numbers/Numbers.ts"
import { asIndex, type Methods } from "../methods/MethodTable.ts"
import { whole } from "../values/NumberTypes.ts"
import { OperandError } from "../values/OperandErrors.ts"

/** Methods of java.util.Random. */
export const randomMethods: Methods = {
  nextInt: [
    0,
    1,
    (value: JavaRandom, [bound]) => {
      if (bound === undefined) return value.nextWord()
      const most = asIndex(bound)
      if (most < 1 || most > 0x7fffffff) throw new OperandError("nextInt() takes a bound of 1 or more")
      return value.nextInt(most)
    }
  ],
  nextLong: [0, 0, (value: JavaRandom) => value.nextLong()],
  nextDouble: [0, 0, (value: JavaRandom) => double(value.nextDouble())],
  nextFloat: [0, 0, (value: JavaRandom) => new Float(value.nextFloat())],
  nextGaussian: [0, 0, (value: JavaRandom) => double(value.nextGaussian())],
  setSeed: [1, 1, (value: JavaRandom, [seed]) => value.setSeed(whole(seed))],
  nextBoolean: [0, 0, (value: JavaRandom) => value.nextBoolean()]
}
