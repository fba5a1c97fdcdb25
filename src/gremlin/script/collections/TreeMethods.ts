import { GremlinMap } from "../../../structure/collections/Collections.ts"
import { Tree } from "../../../structure/collections/Tree.ts"
import type { Budget } from "../budget/Budget.ts"
import { asIndex, type Methods } from "../methods/MethodTable.ts"

/** The trees whose roots are the objects at a depth, from 1. */
const treesAt = (tree: Tree, depth: number, budget: Budget): readonly Tree[] => {
  let level: readonly Tree[] = [tree]
  for (let at = 1; at < depth && level.length > 0; at++) {
    level = budget.list(level.flatMap(({ children }) => [...children.values()] as Tree[])) as readonly Tree[]
  }
  return level
}

const isLeaf = (tree: unknown): boolean => !(tree instanceof Tree) || tree.children.size === 0

const leaves = (tree: Tree, budget: Budget): readonly Tree[] => {
  const found: Array<Tree> = []
  let level: readonly Tree[] = [tree]
  while (level.length > 0) {
    const next: Array<Tree> = []
    for (const { children } of level) {
      for (const [key, child] of children) {
        if (isLeaf(child)) found.push(new Tree(new GremlinMap([[key, child]])))
        else next.push(child as Tree)
      }
    }
    level = budget.list(next) as readonly Tree[]
  }
  return budget.list(found) as readonly Tree[]
}

const keysOf = (trees: readonly Tree[], budget: Budget): unknown[] =>
  budget.list(trees.flatMap(({ children }) => [...children.keys()]))

/** Methods of TinkerPop's Tree, which is also a map. */
export const treeMethods: Methods = {
  getObjectsAtDepth: [1, 1, (tree: Tree, [depth], budget) => keysOf(treesAt(tree, asIndex(depth), budget), budget)],
  getTreesAtDepth: [1, 1, (tree: Tree, [depth], budget) => [...treesAt(tree, asIndex(depth), budget)]],
  getLeafObjects: [0, 0, (tree: Tree, _, budget) => keysOf(leaves(tree, budget), budget)],
  getLeafTrees: [0, 0, (tree: Tree, _, budget) => [...leaves(tree, budget)]],
  isLeaf: [0, 0, (tree: Tree) => isLeaf(tree)],
  get: [1, 1, (tree: Tree, [key], budget) => tree.children.get(budget.key(key)) ?? null],
  containsKey: [1, 1, (tree: Tree, [key], budget) => tree.children.has(budget.key(key))],
  keySet: [0, 0, (tree: Tree, _, budget) => budget.list([...tree.children.keys()])],
  size: [0, 0, (tree: Tree) => tree.children.size],
  isEmpty: [0, 0, (tree: Tree) => tree.children.size === 0]
}
