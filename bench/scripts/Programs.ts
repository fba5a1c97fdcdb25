import { PERSONS } from "../Persons.ts"

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

/** A program, as a client sends it. */
export interface Program {
  readonly name: string
  readonly script: string
  /** False if it only calculates. */
  readonly traverses: boolean
}

/** The programs, those that only calculate last. */
export const programs: ReadonlyArray<Program> = [
  { name: "rounds of friends", script: ROUNDS, traverses: true },
  { name: "recommendations", script: RECOMMEND, traverses: true },
  { name: "closures in steps", script: CLOSURES, traverses: true },
  { name: "writes and exceptions", script: WRITES, traverses: true },
  { name: "primes and sorting", script: ARITHMETIC, traverses: false },
  { name: "recursion and lists", script: RECURSION, traverses: false }
]
