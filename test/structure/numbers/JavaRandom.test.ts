import { describe, expect, it } from "vitest"
import { JavaRandom, shuffle } from "../../../src/structure/numbers/JavaRandom.ts"

/**
 * What java.util.Random gives for a seed: rounds of nextInt(10), nextInt(16), nextInt(2^31-1), nextInt(1500000000),
 * nextLong, nextDouble and nextBoolean, then Collections.shuffle of 1 to 9.
 */
const recorded = [
  {
    seed: 0n,
    rounds: [
      [0, 13, 516548029, 1302116447, -6688467811848818630n, 0.5504370051176339, true],
      [4, 5, 542832677, 827187473, -7138230367502298321n, 0.9828195255872982, false],
      [1, 2, 590459143, 672024888, 2377732757510138102n, 0.14660165764651822, false],
      [2, 8, 19810223, 1208925245, 1927512926176735975n, 0.6251463634655593, false],
      [3, 12, 2097442635, 1477972375, 8987859488885190724n, 0.7462414053223305, true]
    ],
    shuffled: [4, 6, 9, 5, 3, 2, 1, 7, 8]
  },
  {
    seed: -7n,
    rounds: [
      [2, 14, 1445645590, 1119890478, 2701079913633722686n, 0.31556721159435286, false],
      [7, 8, 1932215926, 370061409, -8345463556342312887n, 0.1268791342919673, false],
      [1, 2, 1058717690, 701801676, 144584526065178776n, 0.27676503416273046, false],
      [7, 10, 274704160, 1131012940, 831683732459278659n, 0.6614812781331302, false],
      [5, 12, 1207402285, 952592943, 4576126872775436385n, 0.6896029688408445, true]
    ],
    shuffled: [2, 4, 1, 7, 5, 3, 9, 8, 6]
  },
  {
    seed: -9223372036854775808n,
    rounds: [
      [0, 13, 516548029, 1302116447, -6688467811848818630n, 0.5504370051176339, true],
      [4, 5, 542832677, 827187473, -7138230367502298321n, 0.9828195255872982, false],
      [1, 2, 590459143, 672024888, 2377732757510138102n, 0.14660165764651822, false],
      [2, 8, 19810223, 1208925245, 1927512926176735975n, 0.6251463634655593, false],
      [3, 12, 2097442635, 1477972375, 8987859488885190724n, 0.7462414053223305, true]
    ],
    shuffled: [4, 6, 9, 5, 3, 2, 1, 7, 8]
  }
]

describe("JavaRandom", () => {
  it.each(recorded)("draws what java.util.Random draws for the seed $seed", ({ seed, rounds, shuffled }) => {
    const random = new JavaRandom(seed)
    for (const round of rounds) {
      expect([
        random.nextInt(10),
        random.nextInt(16),
        random.nextInt(2147483647),
        random.nextInt(1500000000),
        random.nextLong(),
        random.nextDouble(),
        random.nextBoolean()
      ]).toEqual(round)
    }
    const values = [1, 2, 3, 4, 5, 6, 7, 8, 9]
    shuffle(values, random)
    expect(values).toEqual(shuffled)
  })
})
