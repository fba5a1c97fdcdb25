/** Runs pieces of work to their end, at once, and gives what they return: for what is known to be short. */
export const whole = <A>(pieces: Iterator<unknown, A>): A => {
  for (;;) {
    const next = pieces.next()
    if (next.done === true) return next.value
  }
}
