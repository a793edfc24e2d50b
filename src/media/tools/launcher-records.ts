import { constants } from 'node:os'
import { nicenessOf, resourceLimits } from './process-limits.ts'
import { type ToolExit, type ToolStart, toolEnvironment } from './spawn.ts'

// The records that this process and launcher.pl exchange; the head of launcher.pl describes them.

/** What a dynamically linked tool reads to start. */
const systemFiles = ['/usr', '/lib', '/lib64', '/etc/ld.so.cache']

/** The record that makes the launcher start a tool, which accepts its standard streams at the socket. */
export function startRecord(
  id: string,
  socketPath: string,
  { program, args, takesInput, limits, reach }: ToolStart,
): Buffer {
  return record([
    `id=${id}`,
    `socket=${socketPath}`,
    `stdio=${takesInput ? '012' : '12'}`,
    `memory=${limits.memoryBytes}`,
    `nice=${nicenessOf(limits)}`,
    ...(limits.cores === undefined ? [] : ['one_core=1']),
    ...Object.entries(resourceLimits(limits)).map(([name, value]) => `limit=${name}:${value}`),
    'confine=1',
    ...Object.entries(toolEnvironment).map(([name, value]) => `env=${name}=${value}`),
    ...[...systemFiles, ...reach.read].map((file) => `read=${file}`),
    ...reach.write.map((folder) => `write=${folder}`),
    ...reach.connect.map((port) => `connect=${port}`),
    ...[program, ...args].map((argument) => `arg=${argument}`),
  ])
}

export function killRecord(id: string): Buffer {
  return record([`kill=${id}`])
}

function record(fields: readonly string[]): Buffer {
  const body = Buffer.from(fields.join('\0'))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length)
  return Buffer.concat([length, body])
}

/** The fields of the launcher's line about the end of a tool. */
export function parseExit([code, signal, cpuMs, maxRssKb, reason]: readonly string[]): ToolExit {
  const wasKilled = signal !== '0'
  return {
    code: wasKilled ? null : Number.parseInt(code ?? '', 10),
    signal: wasKilled ? signalName(Number(signal)) : null,
    cpuMs: Number(cpuMs),
    maxRssBytes: Number(maxRssKb) * 1024,
    ...(reason === 'memory' ? { reason } : {}),
  }
}

function signalName(number: number): NodeJS.Signals {
  const isSignal = (name: string): name is NodeJS.Signals => name in constants.signals
  const found = Object.entries(constants.signals).find(([, value]) => value === number)?.[0]
  return found !== undefined && isSignal(found) ? found : 'SIGKILL'
}
