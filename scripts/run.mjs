/**
 * The entry of `npm start`, `npm run demo`, `npm test` and the other commands: `node scripts/run.mjs COMMAND …`. It needs no
 * installed packages, installs missing ones, and continues in main.ts, in the same process.
 */
import { fileURLToPath } from 'node:url'
import { installPackages } from './setup/packages.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const [major, minor] = process.versions.node.split('.').map(Number)

// Exits instead of dying by the signal, so that exit handlers end started processes. main.ts replaces these handlers.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130))

try {
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new Error(`Node 20.19 or newer is needed; this is ${process.versions.node}`)
  }
  await installPackages(root, (message) => console.error(`set-up: ${message}`))
  const { register } = await import('tsx/esm/api')
  register()
  const { main } = await import('./main.ts')
  process.exit(await main(root, process.argv.slice(2)))
} catch (error) {
  console.error(process.env.DEBUG ? error : error.message)
  process.exit(1)
}
