import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { z } from 'zod'
import { counted } from '../src/core/text.ts'
import type { Command } from './main.ts'
import { npmCommand } from './setup/packages.mjs'
import { readLockFile } from './supply-chain/lock-file.ts'
import { problemsOf } from './supply-chain/rules.ts'

const answer = z.object({ metadata: z.object({ vulnerabilities: z.record(z.string(), z.number()) }) })

/**
 * Checks licences, hashes, origins and install scripts of every package, which needs no network, then asks the registry for
 * known vulnerabilities of the packages in production. Fails on a broken rule and on a high or critical vulnerability. A
 * registry without audits answers nothing: then the last line says that no vulnerability was looked for.
 */
export const auditCommand: Command = async ({ root }) => {
  const packages = readLockFile(path.join(root, 'package-lock.json'))
  const problems = packages.flatMap(problemsOf)
  for (const problem of problems) console.log(problem)
  console.log(
    `licences, hashes, origins and install scripts of ${counted(packages.length, 'package')}: ${counted(problems.length, 'problem')}`,
  )

  const found = askRegistry(root)
  if (found === undefined) console.log('known vulnerabilities: NOT CHECKED, because the registry answers no audit')
  else console.log(`known vulnerabilities in production: ${JSON.stringify(found)}`)
  const isVulnerable = (found?.['high'] ?? 0) + (found?.['critical'] ?? 0) > 0
  return problems.length > 0 || isVulnerable ? 1 : 0
}

/** The number of known vulnerabilities by severity. */
function askRegistry(root: string): Record<string, number> | undefined {
  const [npm, ...args] = npmCommand(['audit', '--json', '--omit=dev', '--package-lock-only'])
  // npm ends with 1 if it finds any.
  const { stdout } = spawnSync(npm, args, { cwd: root, encoding: 'utf8' })
  try {
    return answer.parse(JSON.parse(stdout)).metadata.vulnerabilities
  } catch {
    return undefined
  }
}
