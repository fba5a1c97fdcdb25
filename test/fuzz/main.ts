import { fuzz } from "./Fuzzer.ts"
import { startServers } from "./Servers.ts"

/** npm run test:fuzz -- [--cases N] [--seed S] [--case I]: prints the failures, each with the command that repeats it. */
const option = (name: string): number | undefined => {
  const at = process.argv.indexOf(`--${name}`)
  if (at < 0) return undefined
  const value = Number(process.argv[at + 1])
  if (Number.isSafeInteger(value) && value >= 0) return value
  console.error("npm run test:fuzz -- [--cases N] [--seed S] [--case I], with whole numbers")
  process.exit(2)
}

const seed = option("seed") ?? Math.floor(Math.random() * 2 ** 31)
const only = option("case")
const cases = only === undefined ? (option("cases") ?? 10_000) : 1
console.log(`seed ${seed}, ${cases} cases`)
const begin = performance.now()
const { failures, growth, kinds, left, log } = await fuzz(
  {
    cases,
    seed,
    only,
    progress: (done) => {
      if (done % 10_000 === 0) console.log(`${done} cases, ${((performance.now() - begin) / 1000).toFixed(0)} s`)
    }
  },
  await startServers()
)
for (const { kind, number, problem, sent } of failures) {
  console.log(`\ncase ${number} (${kind}): ${problem}`)
  console.log(`  sent ${JSON.stringify(sent.toString("latin1").slice(0, 2_000))}`)
  console.log(`  npm run test:fuzz -- --seed ${seed} --case ${number}`)
}
const counted = [...kinds].map(([kind, count]) => `${count} ${kind}`).join(", ")
const seconds = ((performance.now() - begin) / 1000).toFixed(1)
console.log(
  `\n${counted}; ${seconds} s; ${failures.length} failures; ${left} left over; heap ${(growth / 1e6).toFixed(1)} MB`
)
const errors = log.filter((line) => line.startsWith("ERROR"))
for (const line of errors.slice(0, 20)) console.log(line.slice(0, 2_000))
process.exit(failures.length > 0 || left > 0 || errors.length > 0 ? 1 : 0)
