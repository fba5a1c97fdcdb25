import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/**
 * Bytes that this process holds: heap and buffers after a full garbage collection. Garbage does not count, because the
 * collector of a busy machine may be late.
 */
export const liveBytes = (): number => {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  collect()
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  return arrayBuffers + heapUsed
}
