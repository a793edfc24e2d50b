import { mkdirSync, readFileSync, watch } from 'node:fs'
import path from 'node:path'
import type { Say } from '../setup/tool-cache.ts'

/** Says each mail that the service writes into DATA_DIR from now on: nobody has the mailboxes of a development stack. */
export function printMails(dataDir: string, say: Say): () => void {
  const folder = path.join(dataDir, 'mail')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const said = new Set<string>()
  const watcher = watch(folder, (_event, name) => {
    if (!name?.endsWith('.eml') || said.has(name)) return
    const mail = readMail(path.join(folder, name))
    if (!mail) return
    said.add(name)
    say(mail)
  })
  watcher.unref()
  return () => watcher.close()
}

/** Undefined if the file is gone, or is still being written. */
function readMail(file: string): string | undefined {
  try {
    const [headers = '', ...text] = readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trimEnd().split('\n\n')
    const to = /^To: (.*)$/m.exec(headers)?.[1]
    return to && text.length > 0 ? `\nMail to ${to}\n\n${text.join('\n\n').replaceAll(/^/gm, '  ')}\n` : undefined
  } catch {
    return undefined
  }
}
