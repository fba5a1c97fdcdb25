import { expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

const check = (cases: ReadonlyArray<readonly [script: string, value: string]>): void => {
  for (const [script, value] of cases) expect.soft(text(resultOf(script)), script).toBe(value)
}

it("A TreeMap has its keys in order, also those that are put later", () => {
  check([
    ["t = new TreeMap(); t.b = 1; t.a = 2; t.toString()", "[a:2, b:1]"],
    [
      "t = new TreeMap([b: 1, a: 2]); [t.firstKey(), t.lastKey(), t.keySet() as List, t.values() as List]",
      "[a, b, [a, b], [2, 1]]"
    ],
    ["(new TreeMap([b: 1, a: 2]) + [aa: 1]).toString()", "[a:2, aa:1, b:1]"],
    ["u = new TreeMap([b: 1, a: 2]).findAll { true }; u.put('0', 1); u.toString()", "[0:1, a:2, b:1]"],
    ["u = new TreeMap([b: 1, a: 2]).clone(); u.put('0', 1); u.toString()", "[0:1, a:2, b:1]"],
    ["t = new TreeMap([b: 1, a: 2]); t.remove('a'); t.c = 3; t.collect { it.key }", "[b, c]"],
    ["new TreeMap([b: 1, a: 2]).firstEntry().toString()", "a=2"],
    [
      "t = new TreeMap([b: 1, a: 2]); [t.floorKey('az'), t.ceilingKey('ab'), t.higherKey('a'), t.lowerKey('b')]",
      "[a, b, b, a]"
    ],
    ["t = new TreeMap([b: 1, a: 2]); t.pollFirstEntry().toString() + t", "a=2[b:1]"],
    ["([b: 1, a: 2] as TreeMap).toString()", "[a:2, b:1]"],
    ["m = [b: 1, a: 2].sort(); m.'0' = 5; m.toString()", "[0:5, a:2, b:1]"],
    ["t = new TreeMap(); for (i in 1..50) t[(i * 37) % 51] = i; t.keySet() as List == (1..50).toList()", "true"]
  ])
})

it("A TreeMap takes keys of one class with an order", () => {
  for (const key of ["'x'", "1L", "[1]"]) {
    const caught = `t = new TreeMap([(1): 2]); try { t.put(${key}, 3) } catch (ClassCastException e) { 'refused' }`
    expect(resultOf(caught), key).toBe("refused")
  }
  expect(resultOf("try { new TreeMap().put(null, 3) } catch (NullPointerException e) { 'refused' }")).toBe("refused")
  expect(resultOf("try { [([1]): 2].sort() } catch (ClassCastException e) { 'refused' }")).toBe("refused")
  expect(resultOf("try { [(1): 1, (2L): 2].sort() } catch (ClassCastException e) { 'refused' }")).toBe("refused")
  expect(() => resultOf("new TreeMap({ a, b -> b <=> a })")).toThrow("is not available in scripts")
})

it("A variable of a sorted type gets a sorted collection", () => {
  check([["TreeMap t = [b: 1, a: 2]; TreeSet s = [2, 1]; t.toString() + s", "[a:2, b:1][1, 2]"]])
  expect(() => resultOf("SortedSet s = [2, 1]; s")).toThrow("cannot be converted to SortedSet")
})

it("A TreeSet has its members in order", () => {
  check([
    ["s = new TreeSet([3, 1, 2]); s << 0; s", "[0, 1, 2, 3]"],
    [
      "s = [3, 1, 2] as TreeSet; [s.first(), s.last(), s.floor(5), s.ceiling(2), s.higher(2), s.lower(2)]",
      "[1, 3, 3, 2, 3, 1]"
    ],
    ["([3, 1, 2] as SortedSet) + 0", "[0, 1, 2, 3]"],
    ["s = [3, 1, 2] as TreeSet; s.pollFirst() + s.toString()", "1[2, 3]"],
    ["([3, 1, 2] as TreeSet) == [1, 2, 3] as Set", "true"],
    ["s = [3, 1, 2] as TreeSet; (s - [1]).toString() + s[0] + s.join(',')", "[2, 3]11,2,3"]
  ])
  expect(resultOf("try { ([1] as TreeSet).add('x') } catch (ClassCastException e) { 'refused' }")).toBe("refused")
})

it("An ArrayDeque and a LinkedList have the methods of deques", () => {
  const ends = "d.pop() + d.pollLast() + d.peekFirst() + d.peekLast()"
  check([
    [
      `d = new ArrayDeque([1, 2]); d.push(0); d.addLast(9); d.addFirst(7); d.toString() + ${ends}`,
      "[7, 0, 1, 2, 9]7902"
    ],
    ["d = new ArrayDeque(); d.offer(1); d.add(2); d.removeFirst() + d.size()", "2"],
    ["new ArrayDeque().poll()", "null"],
    [
      "d = new LinkedList([1, 2]); d.addFirst(0); d.addLast(3); d.getFirst() + d.getLast() + d.removeLast() + d.toString()",
      "6[0, 1, 2]"
    ]
  ])
  expect(() => resultOf("(1..3).addFirst(0)")).toThrow("a range cannot be changed")
})

it("A sorted collection keeps its order through many changes at once", () => {
  check([
    ["t = new TreeMap(); (200..1).each { t[it] = -it }; t.keySet() as List == (1..200).toList()", "true"],
    [
      "t = new TreeSet((200..1).toList()); t.removeAll((1..150).toList()); [t.size(), t.first(), t.last()]",
      "[50, 151, 200]"
    ],
    ["t = new TreeSet((1..200).toList()); t.clear(); t << 3; t << 1; t.toList()", "[1, 3]"],
    ["t = new TreeSet((1..200).toList()); t.retainAll([7, 5, 300]); t.add(6); t.remove(7); t.toList()", "[5, 6]"],
    ["t = new TreeMap((1..90).collectEntries { [it, it] }); (1..80).each { t.remove(it) }; t.firstKey()", "81"],
    ["t = new TreeSet(['b', 'c']); t.remove('b'); t.add('b'); t.add('a'); t.toList()", "[a, b, c]"],
    ["t = new TreeSet(Comparator.reverseOrder()); t.addAll((1..100).toList()); [t.first(), t.higher(5)]", "[100, 4]"],
    ["t = new TreeSet([1.5d, 2.5d, 0.5d]); t.toList()", "[0.5, 1.5, 2.5]"]
  ])
  const mixed = "t = new TreeSet(); try { t.addAll(['b', 1]) } catch (ClassCastException e) { t.toList() }"
  expect(text(resultOf(mixed))).toBe("[b]")
  expect(() => resultOf("new TreeSet([1, 1.5d])")).toThrow("of one class")
})
