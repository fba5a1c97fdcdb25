/**
 * What the user of a command that ended early does next, as a sentence with a space before it; empty for all commands but
 * `import`. It names no `--again`: with this option, what was committed would be imported twice.
 */
export const afterStop = (command: string): string =>
  command === "import"
    ? " What it has committed stays. Run the same command without --again: it continues after the last commit, or says why it cannot."
    : ""
