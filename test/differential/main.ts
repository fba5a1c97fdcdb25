import { join } from "node:path"
import { parseArgs } from "node:util"
import { ask } from "./Ask.ts"
import { writeDocumentation } from "./Documentation.ts"
import { caseText, Known, outcomeText } from "./Known.ts"
import { Play } from "./Play.ts"
import { type ProgramDifference, playPrograms, recordPrograms } from "./programs/PlayPrograms.ts"
import { programText } from "./programs/Program.ts"
import { writeRecording } from "./programs/Recorded.ts"
import { missingReference, type Servers, startServers } from "./Servers.ts"

const USAGE = `npm run test:differential -- [options]

Plays random traversals on this server and on Gremlin Server, and compares the results with their types.

  --cases N   how many are played (100,000)
  --seed N    repeats the cases of a run; also SEED=N
  --from N    begins with the case of this number (0)
  --case N    only the case of this number
  --most N    ends after so many differences that are not known (50)
  --known     prints the known differences, too, each with its reason
  --orders    prints also where only the order of results differs
  --optional  where Gremlin Server cannot be obtained, says why and counts all cases as skipped
  --programs  plays random Groovy programs instead of traversals
  --ask       sends each line of the standard input to both servers, such as gscratch.V().count(), and prints the answers
  --record N  records the answers of Gremlin Server to N random programs, which npm test plays without Java
  --docs      writes the known differences into docs/reference/differences.md, and plays nothing`

const whole = (name: string, text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0)
    throw new Error(`--${name} takes a whole number, not ${text}\n\n${USAGE}`)
  return value
}

/** Maximum number of printed characters of an outcome. */
const MAX_PRINTED_CHARS = 1_500
const brief = (text: string): string =>
  text.length > MAX_PRINTED_CHARS ? `${text.slice(0, MAX_PRINTED_CHARS)} ...` : text

/** Plays programs, prints each difference, and returns the exit code. */
const runPrograms = async (
  servers: Servers,
  range: { readonly seed: number; readonly from: number; readonly to: number; readonly most: number }
): Promise<number> => {
  const play = await Play.open(servers, new Known([]))
  play.close()
  const shown = (number: number, { candidate, program, reference }: ProgramDifference): void => {
    console.log(`\nprogram ${number} (--programs --seed ${range.seed} --case ${number})`)
    console.log(programText(program).replaceAll(/^/gm, "  "))
    console.log(`  Gremlin Server: ${brief(outcomeText(reference))}`)
    console.log(`  this server:    ${brief(outcomeText(candidate))}`)
  }
  const { same, errors, unknown, different, intended } = await playPrograms(servers, range, {
    found: shown,
    unanswered: shown
  })
  console.log(
    `\n${same} the same (${errors} of them errors), ${intended} intended differences, ${unknown} not answered by the reference`
  )
  console.log(`${same} passed, ${different} failed, ${unknown} skipped`)
  return different > 0 ? 1 : 0
}

/**
 * Runs the differential fuzzer. Prints every difference that known.json does not explain, and at the end the sums of the run.
 * Returns the exit code.
 *
 * @param home folder of this suite
 * @param cache folder for downloaded files and for the servers
 * @param root folder of the project
 */
export const main = async (args: ReadonlyArray<string>, home: string, cache: string, root: string): Promise<number> => {
  const text = { type: "string" } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      cases: text,
      seed: text,
      from: text,
      case: text,
      most: text,
      known: { type: "boolean" },
      orders: { type: "boolean" },
      docs: { type: "boolean" },
      optional: { type: "boolean" },
      programs: { type: "boolean" },
      ask: { type: "boolean" },
      record: text,
      help: { type: "boolean" }
    }
  })
  if (values.help === true) {
    console.log(USAGE)
    return 0
  }
  const known = Known.read(join(home, "known.json"))
  if (values.docs === true) {
    writeDocumentation(join(root, "docs", "reference", "differences.md"), known.rules)
    return 0
  }
  const seedText = values.seed ?? process.env.SEED
  const seed = seedText === undefined ? Math.floor(Math.random() * 2 ** 31) : whole("seed", seedText)
  const from = values.case === undefined ? whole("from", values.from ?? "0") : whole("case", values.case)
  const to = from + (values.case === undefined ? whole("cases", values.cases ?? "100000") : 1)
  const most = whole("most", values.most ?? "50")
  const missing = values.optional === true ? missingReference(home, cache) : undefined
  if (missing !== undefined) {
    console.log(`test:differential: not run, Gremlin Server cannot be obtained: ${missing}`)
    console.log(`0 passed, 0 failed, ${to - from} skipped`)
    return 0
  }
  console.log(`seed ${seed}, ${to - from} cases`)
  const servers = await startServers(home, cache, root)
  try {
    if (values.record !== undefined) {
      const programs = await recordPrograms(servers, { seed, count: whole("record", values.record) })
      writeRecording(join(home, "programs", "recorded.jsonl"), { reference: "Gremlin Server 3.8.1", seed, programs })
      console.log(`${programs.length} programs of seed ${seed} are recorded`)
      return 0
    }
    if (values.ask === true) {
      await ask(servers)
      return 0
    }
    if (values.programs === true) return await runPrograms(servers, { seed, from, to, most })
    const begin = performance.now()
    const seconds = (): string => `${((performance.now() - begin) / 1000).toFixed(0)} s`
    const play = await Play.open(servers, known)
    const stale = values.case === undefined ? await play.stale() : []
    for (const { gremlin, comparison } of stale) {
      console.log(`\nknown.json has a difference that is none any more: ${gremlin}`)
      console.log(`  Gremlin Server: ${brief(outcomeText(comparison.reference))}`)
      console.log(`  this server:    ${brief(outcomeText(comparison.candidate))}`)
    }
    const { counts } = await play.play({
      seed,
      from,
      to,
      most,
      progress: (done) => {
        if (done % 10_000 < 16 && done >= 10_000) console.log(`${done} cases, ${seconds()}`)
      },
      found: (number, { smallest, comparison, tries }) => {
        console.log(
          `\ncase ${number} (--seed ${seed} --case ${number}; ${tries} smaller ones tried), ${comparison.about} differ`
        )
        console.log(`  ${caseText(smallest)}`)
        console.log(`  Gremlin Server: ${brief(outcomeText(comparison.reference))}`)
        console.log(`  this server:    ${brief(outcomeText(comparison.candidate))}`)
      },
      explained: (number, { smallest, comparison }, { reason }) => {
        if (values.known !== true) return
        console.log(`\ncase ${number}, known: ${reason}`)
        console.log(`  ${caseText(smallest)}`)
        console.log(`  Gremlin Server: ${brief(outcomeText(comparison.reference))}`)
        console.log(`  this server:    ${brief(outcomeText(comparison.candidate))}`)
      },
      ended: (which, log) => console.log(`\nthe ${which} ended and is started again: ${brief(log)}`),
      reordered: (number, one, comparison) => {
        if (values.orders !== true) return
        console.log(`\ncase ${number}, another order: ${caseText(one)}`)
        console.log(`  Gremlin Server: ${brief(outcomeText(comparison.reference))}`)
        console.log(`  this server:    ${brief(outcomeText(comparison.candidate))}`)
      }
    })
    play.close()
    const { same, order, different, unknown } = counts
    console.log(
      `\n${seconds()}: ${same} the same, ${order} in another order, ${counts.known} known differences, ${unknown} not answered by the reference, ${different} differences`
    )
    const failed = different + stale.length
    console.log(`${same + order + counts.known} passed, ${failed} failed, ${unknown} skipped`)
    return failed > 0 ? 1 : 0
  } finally {
    await Promise.all([servers.reference.stop(), servers.candidate.stop()])
  }
}
