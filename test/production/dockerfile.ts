import { readFileSync } from 'node:fs'
import { z } from 'zod'

export interface Step {
  readonly keyword: string
  readonly text: string
}

export interface Stage {
  readonly image: string
  readonly name: string
  readonly steps: readonly Step[]
}

/** The stages of a Dockerfile that uses no variables, heredocs or parser directives. */
export function parseDockerfile(file: string): Stage[] {
  const stages: { image: string; name: string; steps: Step[] }[] = []
  const lines = readFileSync(file, 'utf8').split('\n')
  const joined = lines
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
  for (const line of joined.split('\n').filter((text) => text.trim() !== '')) {
    const [, keyword = '', text = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? []
    if (keyword === '') throw new Error(`no instruction: ${line}`)
    if (keyword === 'FROM') {
      const [image = '', , name = ''] = text.split(' ')
      stages.push({ image, name, steps: [] })
    } else stages.at(-1)?.steps.push({ keyword, text })
  }
  return stages
}

/** The last instruction with this keyword. */
export function lastOf({ steps }: Stage, keyword: string): string | undefined {
  return steps.findLast((step) => step.keyword === keyword)?.text
}

/** The arguments of an instruction in exec form; throws for the shell form, whose process 1 would be a shell. */
export function execForm(text: string | undefined): string[] {
  return z.array(z.string()).parse(JSON.parse(text ?? ''))
}
