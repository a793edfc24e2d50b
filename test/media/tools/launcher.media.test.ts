import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { availableParallelism, getPriority, tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { nextTurn } from '../../../src/core/turns.ts'
import { type Launcher, startLauncher } from '../../../src/media/tools/launcher.ts'
import { spawnTool, type ToolExit, type ToolProcess, type ToolStart } from '../../../src/media/tools/spawn.ts'
import type { ToolLimits } from '../../../src/media/tools/tool-limits.ts'

const hostileTool = fileURLToPath(new URL('hostile-tool.pl', import.meta.url))
const megabyte = 1024 * 1024
const perl = '/usr/bin/perl'
const canLaunch = process.platform === 'linux' && existsSync(perl)

interface Ended extends ToolExit {
  readonly stdout: string
  readonly stderr: string
}

describe.skipIf(!canLaunch)('the launcher', () => {
  let launcher: Launcher
  let folder: string
  let input: string

  beforeAll(async () => {
    launcher = await mustStart()
    folder = await mkdtemp(path.join(tmpdir(), 'launcher-test-'))
    input = path.join(folder, 'input')
    await writeFile(input, 'media')
  })
  afterAll(async () => {
    await launcher.close()
    await rm(folder, { recursive: true })
  })

  const request = (args: readonly string[], more: Partial<ToolStart> = {}): ToolStart => ({
    program: perl,
    args,
    limits: { memoryBytes: 256 * megabyte, cpuSeconds: 20, fileBytes: 50 * megabyte },
    reach: { read: [], write: [], connect: [] },
    ...more,
  })
  const run = (args: readonly string[], more?: Partial<ToolStart>) => ended(launcher.start(request(args, more)))

  it('prefers every other process to a tool', async () => {
    const { stdout } = await run(['-e', 'print getpriority(0, 0)'])
    expect(Number(stdout)).toBe(Math.min(19, getPriority() + 5))
  })

  it('keeps a tool from every file, address and process but its own', async () => {
    const work = path.join(folder, 'work')
    await mkdir(work)
    const [own, other] = [await listening(), await listening()]
    const { stdout, stderr, code } = await run([hostileTool, work, input, `${own.port}`, `${other.port}`], {
      reach: { read: [hostileTool, input], write: [work], connect: [own.port] },
    })
    own.close()
    other.close()
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    const lines = stdout.trim().split('\n')
    expect(lines).toHaveLength(25)
    expect(lines.filter((line) => line.startsWith('done'))).toEqual([
      'done needed: reads its input',
      'done needed: writes in its folder',
      'done needed: connects to its port',
    ])
    expect(existsSync(`${work}-outside`)).toBe(false)
  })

  it('leaves all of it open to a tool without confinement, so that the test above can fail', async () => {
    const work = path.join(folder, 'unconfined')
    await mkdir(work)
    const [own, other] = [await listening(), await listening()]
    const args = [hostileTool, work, input, `${own.port}`, `${other.port}`]
    const { stdout } = await ended(spawnTool({ program: perl, args }))
    own.close()
    other.close()
    const lines = stdout.trim().split('\n')
    for (const name of [
      'reads another file',
      'connects to another port',
      'opens a UDP socket',
      'forks',
      'runs a shell',
    ])
      expect(lines).toContain(`done ${name}`)
  })

  it('opens no socket for a tool that reads files only', async () => {
    const { stdout } = await run(['-e', 'print socket(my $s, 2, 1, 0) ? "open" : "refused"'])
    expect(stdout).toBe('refused')
  })

  it('kills a tool that grows past its memory, and reports why', async () => {
    const grow = 'my @x; for (1 .. 200) { push @x, "x" x 20_000_000; select undef, undef, undef, 0.02 }'
    const { signal, reason, maxRssBytes } = await run(['-e', grow], {
      limits: { memoryBytes: 200 * megabyte, cpuSeconds: 20, fileBytes: megabyte },
    })
    expect(signal).toBe('SIGKILL')
    expect(reason).toBe('memory')
    expect(maxRssBytes).toBeLessThan(300 * megabyte)
  })

  it('refuses an allocation far past the limit, before it is watched', async () => {
    const { stdout, maxRssBytes } = await run(['-e', 'my $n = 2e9; my $x = "x" x $n; print "allocated"'])
    expect(stdout).toBe('')
    expect(maxRssBytes).toBeLessThan(256 * megabyte)
  })

  it('ends a tool that spends its CPU time', async () => {
    const { signal, cpuMs } = await run(['-e', '1 while 1'], {
      limits: { memoryBytes: 256 * megabyte, cpuSeconds: 1, fileBytes: megabyte },
    })
    expect(signal).toBe('SIGKILL')
    expect(cpuMs).toBeGreaterThan(500)
    expect(cpuMs).toBeLessThan(1_500)
  })

  it('gives long work a lower priority than short work', async () => {
    const niceness = async (cpuSeconds: number) => {
      const limits = { memoryBytes: 256 * megabyte, cpuSeconds, fileBytes: megabyte }
      return Number((await run(['-e', 'print getpriority 0, 0'], { limits })).stdout)
    }
    expect(await niceness(20)).toBe(Math.min(19, getPriority() + 5))
    expect(await niceness(10_000)).toBe(Math.min(19, getPriority() + 10))
  })

  it('keeps a tool that needs one core on one, and divides such tools among the cores', async () => {
    const limits = { memoryBytes: 256 * megabyte, cpuSeconds: 20, fileBytes: megabyte }
    const coresOf = async (args: readonly string[], more: Partial<ToolLimits>) => {
      const { stdout } = await run(args, {
        limits: { ...limits, ...more },
        reach: { read: ['/proc'], write: [], connect: [] },
      })
      return stdout.trim()
    }
    const tell = [
      '-e',
      'open my $f, "<", "/proc/self/status"; print map { /Cpus_allowed_list:\\t(.*)/ ? $1 : () } <$f>',
    ]
    expect(await coresOf(tell, {})).toBe(
      readFileSync('/proc/self/status', 'utf8').match(/Cpus_allowed_list:\t(.*)/)?.[1],
    )
    expect(await coresOf(tell, { cores: 1 })).toMatch(/^\d+$/)

    const waiting = Array.from({ length: availableParallelism() }, () =>
      launcher.start(
        request(['-e', `${tell[1]}; $| = 1; print "\\n"; <STDIN>`], {
          ...{ takesInput: true, limits: { ...limits, cores: 1 } },
          reach: { read: ['/proc'], write: [], connect: [] },
        }),
      ),
    )
    const cores = await Promise.all(waiting.map(async ({ stdout }) => String((await once(stdout, 'data'))[0]).trim()))
    for (const tool of waiting) tool.stdin?.end()
    await Promise.all(waiting.map(({ exit }) => exit))
    expect(new Set(cores).size).toBe(availableParallelism())
  })

  it('ends a tool at the size limit of a file', async () => {
    const work = await mkdtemp(path.join(folder, 'large-'))
    const write = `open my $f, '>', '${work}/large'; my $x = 'x' x 1e6; syswrite $f, $x or die for 1 .. 1000`
    const { signal } = await run(['-e', write], { reach: { read: [], write: [work], connect: [] } })
    expect(signal).toBe('SIGXFSZ')
    expect((await stat(path.join(work, 'large'))).size).toBe(50 * megabyte)
  })

  it('passes standard input, output and error on, whole and in order', async () => {
    const tool = launcher.start(
      request(['-e', 'binmode STDIN; print while <STDIN>; print STDERR "end"; exit 3'], { takesInput: true }),
    )
    const block = Buffer.alloc(8 * megabyte, '0123456789abcde\n')
    tool.stdin?.end(block)
    const result = await ended(tool)
    expect(result).toMatchObject({ code: 3, signal: null, stderr: 'end' })
    expect(result.stdout === block.toString()).toBe(true)
  })

  it('reads output into one buffer, and reads on when the last bytes are taken', async () => {
    const hash = createHash('sha256')
    const seen = new Set<ArrayBufferLike>()
    let inUse = false
    const takeOutput = async (chunk: Buffer) => {
      expect(inUse).toBe(false)
      inUse = true
      seen.add(chunk.buffer)
      await nextTurn()
      hash.update(chunk)
      inUse = false
    }
    const tool = launcher.start(
      request(['-e', 'print $_ x 1000 for 1 .. 5000; print STDERR "end"; exit 3'], { takeOutput }),
    )
    expect(await ended(tool)).toMatchObject({ code: 3, stdout: '', stderr: 'end' })
    const whole = Array.from({ length: 5_000 }, (_, index) => `${index + 1}`.repeat(1_000)).join('')
    expect(hash.digest('hex')).toBe(createHash('sha256').update(whole).digest('hex'))
    expect(seen.size).toBe(1)
  })

  it('names a program that is missing', async () => {
    const { code, stderr } = await run([], { program: 'no-such-tool' })
    expect({ code, stderr }).toEqual({ code: 125, stderr: 'launcher: exec: No such file or directory\n' })
  })

  it('starts a hundred tools together, and each ends with its own output', async () => {
    const all = await Promise.all(Array.from({ length: 100 }, (_, index) => run(['-e', `print ${index}`])))
    expect(all.map(({ stdout }) => stdout)).toEqual(Array.from({ length: 100 }, (_, index) => `${index}`))
  })

  it('kills a tool on request', async () => {
    const tool = launcher.start(request(['-e', 'sleep 600']))
    expect(await tool.pid).toBeGreaterThan(0)
    tool.kill()
    const { signal, reason } = await ended(tool)
    expect({ signal, reason }).toEqual({ signal: 'SIGKILL', reason: undefined })
    // A later call finds nothing to end.
    tool.kill()
  })

  it('ends tools that are killed before their streams are connected', async () => {
    const tools = Array.from({ length: 20 }, () => launcher.start(request(['-e', 'sleep 600'], { takesInput: true })))
    for (const tool of tools) tool.kill()
    for (const { signal } of await Promise.all(tools.map(ended))) expect(signal).toBe('SIGKILL')
  })

  it('leaves no sockets behind', async () => {
    const own = await mkdtemp(path.join(folder, 'own-'))
    vi.stubEnv('TMPDIR', own)
    const other = await mustStart()
    vi.unstubAllEnvs()
    await ended(other.start(request(['-e', '1'])))
    const [tools = ''] = await readdir(own)
    expect(await readdir(path.join(own, tools))).toEqual([])
    await other.close()
    expect(await readdir(own)).toEqual([])
  })

  it('takes its tools along when it ends, and ends every later one', async () => {
    const brief = await mustStart()
    const tool = brief.start(request(['-e', 'sleep 600']))
    const pid = await tool.pid
    process.kill(brief.pid, 'SIGKILL')
    expect(await ended(tool)).toMatchObject({ signal: 'SIGKILL', reason: 'launcher' })
    await expect.poll(() => isRunning(pid)).toBe(false)
    expect(await ended(brief.start(request(['-e', '1'])))).toMatchObject({ reason: 'launcher' })
    await brief.close()
  })

  it('is not there where it cannot run', async () => {
    expect(await startLauncher('/nonexistent/perl')).toBeUndefined()
    expect(await startLauncher('/bin/false')).toBeUndefined()
  })
})

async function mustStart(): Promise<Launcher> {
  const launcher = await startLauncher()
  if (!launcher) throw new Error('the launcher did not start')
  return launcher
}

async function ended(tool: ToolProcess): Promise<Ended> {
  const [stdout, stderr, exit] = await Promise.all([allText(tool.stdout), allText(tool.stderr), tool.exit])
  return { ...exit, stdout, stderr }
}

/** A stream that was destroyed holds nothing. */
const allText = (stream: ToolProcess['stdout']) => text(stream).catch(() => '')

async function listening(): Promise<{ readonly port: number; close(): void }> {
  const server = createServer((socket) => socket.destroy())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  return { port: address.port, close: () => server.close() }
}

function isRunning(pid: number | undefined): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return false
  return !/\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
}
