/** Observes all writes to Maps. Returns a function that ends this, and returns the size of the largest Map that was written to. */
export const largestMap = (): (() => number) => {
  const { set } = Map.prototype
  let largest = 0
  Map.prototype.set = function (key, value) {
    set.call(this, key, value)
    if (this.size > largest) largest = this.size
    return this
  }
  return () => {
    Map.prototype.set = set
    return largest
  }
}
