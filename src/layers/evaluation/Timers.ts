/** The longest delay of setTimeout() and setInterval(), which has 32 bits: a longer one counts as 1 ms. */
export const MAX_TIMER_MS = 2 ** 31 - 1

/** Calls back after `delay` ms, at least 1. A longer delay than setTimeout() accepts (24.8 days) ends early. */
export const startTimer = (delay: number, passed: () => void): NodeJS.Timeout =>
  setTimeout(passed, Math.max(1, Math.min(Math.ceil(delay), MAX_TIMER_MS)))
