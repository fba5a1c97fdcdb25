import { onTestFinished } from "vitest"

/** Runs an action at an interval until the test ends, also if it fails, or until the returned function is called. */
export const every = (milliseconds: number, run: () => void): (() => void) => {
  const timer = setInterval(run, milliseconds)
  const end = (): void => clearInterval(timer)
  onTestFinished(end)
  return end
}
