import { type Connection, connectWebSocket, load } from "./Load.ts"
import { evalMessage, final } from "./Messages.ts"
import { PERSONS, peerOf, withServers } from "./Persons.ts"
import type { ServerProcess } from "./ServerProcess.ts"

/**
 * npm run bench -- scripts [seconds] [part of a row's name] [--peer | --against FOLDER]: programs in Groovy of about 30 lines on the
 * graph of `oltp`. Most of them run traversals in loops; the last ones only calculate. Prints the server's CPU time per request. With
 * --peer, Gremlin Server 3.8.1 gets the same load in alternate turns; with --against, the server of another checkout. Every program
 * has one text, so that a server that compiles scripts compiles it once.
 */
const CONNECTIONS = 4
const { peer, rest } = peerOf(process.argv.slice(2))
const [time = "6", only = ""] = rest
const seconds = Number(time)
/** Length of one turn of a row with two servers. */
const TURN_SECONDS = 0.5

/** Collects the friends of a person in rounds, one traversal for each person. */
const ROUNDS = `
def start = g.V().has('person', 'uid', x).next()
def seen = [start.id()] as Set
def round = [start]
def names = []
def rounds = 0
while (rounds < 2 && !round.isEmpty()) {
  def next = []
  for (person in round) {
    def friends = g.V(person).out('knows').toList()
    for (friend in friends) {
      if (seen.contains(friend.id())) {
        continue
      }
      seen << friend.id()
      next << friend
    }
  }
  rounds++
  round = next
}
for (person in round.take(5)) {
  names << person.value('name')
}
def text = names.join(', ')
if (text.length() > 60) {
  text = text.substring(0, 60)
}
[rounds: rounds, seen: seen.size(), names: text]
`

/** Recommends persons: counts in a map, and a closure that sorts. */
const RECOMMEND = `
def score(id, common, limit) {
  if (common > limit) {
    return common * 2
  }
  return common
}
def me = g.V().has('person', 'uid', x).next()
def friends = g.V(me).out('knows').values('uid').toList()
def counts = [:]
for (uid in friends) {
  def others = g.V().has('person', 'uid', uid).out('knows').values('uid').toList()
  others.each { other ->
    if (other != x && !friends.contains(other)) {
      counts[other] = (counts[other] ?: 0) + 1
    }
  }
}
def ranked = counts.collect { uid, common -> [uid, score(uid, common, 1)] }
ranked = ranked.sort { a, b -> b[1] <=> a[1] ?: a[0] <=> b[0] }
def best = []
def at = 0
while (at < 3 && at < ranked.size()) {
  def found = g.V().has('person', 'uid', ranked[at][0]).values('name').next()
  best << "\${found}: \${ranked[at][1]}".toString()
  at++
}
if (best.isEmpty()) {
  return ['nobody']
}
best
`

/** Traversals with closures. */
const CLOSURES = `
def low = x % 100
def high = low + 50
def inRange = { uid -> uid >= low && uid < high }
def found = 0
def names = []
for (start in 0..<5) {
  def uid = (x + start * 7) % ${PERSONS}
  def near = g.V().has('person', 'uid', uid).
    out('knows').
    filter { it.get().value('uid') % 3 != 1 }.
    map { it.get().value('name') }.
    toList()
  names.addAll(near)
  found += near.size()
}
def sorted = g.V().has('person', 'uid', x).
  out('knows').
  order().by { a, b -> b.value('uid') <=> a.value('uid') }.
  values('uid').
  toList()
def hits = sorted.count { inRange(it % 100) }
def first = sorted.isEmpty() ? -1 : sorted.first()
def lengths = names.collect { it.length() }
def longest = lengths.max() ?: 0
if (found == 0) {
  return [0, 0]
}
def summary = [:]
summary.found = found
summary.hits = hits
summary.first = first
summary.longest = longest
summary
`

/** Adds and removes elements, and catches an error. */
const WRITES = `
def make(g, number, owner) {
  def v = g.addV('visit').property('at', number).next()
  if (owner != null) {
    g.V(owner).addE('made').to(v).iterate()
  }
  return v
}
def owner = g.V().has('person', 'uid', x).next()
def made = []
for (int i = 0; i < 5; i++) {
  made << make(g, i, owner)
}
def failed = 0
for (v in made) {
  try {
    if (v.value('at') == 3) {
      throw new IllegalStateException('three')
    }
    g.V(v).property('seen', true).iterate()
  } catch (IllegalStateException e) {
    failed++
  }
}
def seen = g.V(owner).out('made').has('seen', true).count().next()
g.V(owner).out('made').drop().iterate()
def rest = g.V(owner).out('made').count().next()
if (rest != 0) {
  return 'left'
}
def result = [seen: seen, failed: failed]
result.total = made.size()
result
`

/** Primes, a sum of digits, and a sort by hand: no traversal. */
const ARITHMETIC = `
def primes = []
for (int n = 2; n < 200; n++) {
  def isPrime = true
  for (int d = 2; d * d <= n; d++) {
    if (n % d == 0) {
      isPrime = false
      break
    }
  }
  if (isPrime) {
    primes << n
  }
}
def digits = 0
for (p in primes) {
  def left = p
  while (left > 0) {
    digits += left % 10
    left = left.intdiv(10)
  }
}
def items = primes.reverse().take(20)
for (int i = 0; i < items.size(); i++) {
  for (int j = 0; j < items.size() - 1; j++) {
    if (items[j] > items[j + 1]) {
      def other = items[j]
      items[j] = items[j + 1]
      items[j + 1] = other
    }
  }
}
[primes.size(), digits, items.first() + x]
`

/** A recursive function and an endless product of small numbers: no traversal. */
const RECURSION = `
def fib(n) {
  if (n < 2) {
    return n
  }
  return fib(n - 1) + fib(n - 2)
}
def total = 0
def product = 1L
for (i in 1..12) {
  def f = fib(i)
  total += f
  product = product * (f % 7 + 1) % 1000003
}
def gcd = { a, b ->
  while (b != 0) {
    def t = b
    b = a % b
    a = t
  }
  a
}
def sum = 0
(1..60).each { a ->
  sum += gcd(a, x + 60)
}
def squares = (1..50).collect { it * it }.findAll { it % 3 == 1 }
def text = squares.collect { it.toString() }.join('+')
[total, product, sum, squares.sum(), text.length()]
`

interface Program {
  readonly name: string
  readonly script: string
  readonly traverses: boolean
}

const programs: ReadonlyArray<Program> = [
  { name: "rounds of friends", script: ROUNDS, traverses: true },
  { name: "recommendations", script: RECOMMEND, traverses: true },
  { name: "closures in steps", script: CLOSURES, traverses: true },
  { name: "writes and exceptions", script: WRITES, traverses: true },
  { name: "primes and sorting", script: ARITHMETIC, traverses: false },
  { name: "recursion and lists", script: RECURSION, traverses: false }
]

const person = (): number => Math.floor(Math.random() * PERSONS)
const messageOf = ({ script }: Program, x = person()): Buffer => evalMessage(script.trim(), { x }, "gremlin-groovy")

/** The answer of a server, without what differs from request to request. */
const answerOf = async (server: ServerProcess, program: Program): Promise<string> => {
  let text = ""
  const connection = await connectWebSocket(server.port, (frame) => {
    text += /"result":(.*)\}$/s.exec(frame.toString())?.[1]?.replace(/,"meta":.*/s, "") ?? ""
    return final(frame)
  })
  await connection.call(messageOf(program, 4711))
  connection.close()
  return text
}

interface Figures {
  /** CPU time of the server per request, us. */
  readonly cpu: number
  readonly p50: number
}

const connectAll = (server: ServerProcess): Promise<ReadonlyArray<Connection>> =>
  Promise.all(Array.from({ length: CONNECTIONS }, () => connectWebSocket(server.port, final)))

const turn = async (
  program: Program,
  server: ServerProcess,
  connections: ReadonlyArray<Connection>,
  time: number
): Promise<Figures> => {
  const before = server.cpu()
  const { p50, requests } = await load(connections, time, () => messageOf(program))
  return { cpu: (server.cpu() - before) / requests, p50 }
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

const print = (name: string, turns: ReadonlyArray<Figures>): void => {
  const [cpu, p50] = [median(turns.map((each) => each.cpu)), median(turns.map((each) => each.p50))]
  console.log(`${name.padEnd(32)} CPU ${cpu.toFixed(0).padStart(6)} us   p50 ${p50.toFixed(2)} ms`)
}

await withServers(peer, async (server, other) => {
  for (const program of programs.filter(({ name }) => name.includes(only))) {
    const name = `${program.name}${program.traverses ? "" : " (no traversal)"}`
    const ours = await connectAll(server)
    await load(ours, peer?.warm ?? 2, () => messageOf(program))
    if (peer === undefined || other === undefined) {
      print(name, [await turn(program, server, ours, seconds)])
      for (const connection of ours) connection.close()
      continue
    }
    const [mine, reference] = [await answerOf(server, program), await answerOf(other, program)]
    if (mine !== reference) console.log(`${name}: other results\n  ${mine}\n  ${reference}`)
    const theirs = await connectAll(other)
    await load(theirs, peer.warm, () => messageOf(program))
    const [own, others]: [Array<Figures>, Array<Figures>] = [[], []]
    for (let at = 0; at < seconds / TURN_SECONDS; at++) {
      own.push(await turn(program, server, ours, TURN_SECONDS))
      others.push(await turn(program, other, theirs, TURN_SECONDS))
    }
    for (const connection of [...ours, ...theirs]) connection.close()
    print(name, own)
    print(`  ${peer.name}`, others)
    const ratio = median(others.map(({ cpu }, at) => cpu / (own[at]?.cpu ?? Number.NaN)))
    console.log(`  CPU of ${peer.name} / ours: ${ratio.toFixed(2)}`)
  }
})
