export const changedTests: (root: string) => ReadonlyArray<string>
