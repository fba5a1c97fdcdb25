/** A command of the Gremlin Console that is about the console, or about its connection. */
const aboutConsole = /^[ \t]*:(?:remote|rem|plugin|pin|clear|c|set|exit|quit|x|q|load|\.)(?:[ \t].*)?$/gm

/** A statement that the console sends to the server. */
const sent = /^[ \t]*:(?:>|submit)[ \t]*/gm

/** A source of a remote server. The script means the server that runs it. */
const remote =
  /\btraversal\s*\(\s*\)\s*\.\s*(?:withRemote|with_?)\s*\(\s*(?:(["'])[^"'\n]*\1|DriverRemoteConnection\.using\([^)\n]*\))\s*\)/g

/**
 * The script of a console as one of the server: without commands about the console and its connection, with the statements of
 * `:>` as they are, and with `g` instead of a source of a remote server. Lines keep their numbers.
 */
export const consoleScript = (text: string): string =>
  text.replace(aboutConsole, "").replace(sent, "").replace(remote, "g")
