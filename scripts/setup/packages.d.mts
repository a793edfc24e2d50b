/** Runs `npm ci` if node_modules differs from the lock file. */
export function installPackages(root: string, say: (message: string) => void): Promise<void>

/** npm with these arguments: the npm that runs this script, if one does. */
export function npmCommand(args: readonly string[]): [file: string, ...args: string[]]
