/** With `--help` among the arguments, prints the usage and ends the process, so that the command does nothing. */
export function helpIfAsked(usage: string): void {
  if (!process.argv.slice(2).includes('--help')) return
  process.stdout.write(`${usage}\n`)
  process.exit(0)
}
