import { performance } from "node:perf_hooks"

/**
 * Measures how busy this process is. Each call of the returned function returns the share of the time since the last call in
 * which the event loop ran code, 0 to 1.
 */
export const utilizationMeter = (): (() => number) => {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization
  }
}
