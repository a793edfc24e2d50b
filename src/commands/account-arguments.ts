import { parseArgs } from 'node:util'
import { fromUsd, type MicroUsd } from '../core/money.ts'

/** The arguments that a command takes, all of them required: names of positional ones, and options. */
export interface TakenArguments {
  readonly positional: readonly string[]
  readonly hasReason?: boolean
  /** At least one of these options. */
  readonly amounts?: readonly ('credits' | 'billed')[]
}

export interface GivenArguments {
  /** The account, except for `find`. */
  readonly subject: string
  /** The second argument: an amount, or an address. */
  readonly detail: string
  readonly reason: string
  readonly credits: string
  readonly billed: string
}

/** Throws with what is missing or not expected. */
export function readArguments(
  args: readonly string[],
  { positional, hasReason = false, amounts = [] }: TakenArguments,
): GivenArguments {
  const { values, positionals } = parse(args)
  const [subject = '', detail = ''] = positionals
  const { reason, credits, billed } = values
  const missing = [
    ...positional.filter((_name, index) => !positionals[index]),
    ...(amounts.length > 0 && credits === '' && billed === '' ? [amounts.map(amountOption).join(' or ')] : []),
    ...(hasReason && reason.trim() === '' ? ['--reason TEXT'] : []),
  ]
  const surplus = [
    ...positionals.slice(positional.length),
    ...(!hasReason && reason !== '' ? ['--reason'] : []),
    ...(amounts.length === 0 ? [...(credits === '' ? [] : ['--credits']), ...(billed === '' ? [] : ['--billed'])] : []),
  ]
  if (missing.length > 0) throw new Error(`missing: ${missing.join(', ')}`)
  if (surplus.length > 0) throw new Error(`not expected: ${surplus.join(', ')}`)
  return { subject, detail, reason, credits, billed }
}

function parse(args: readonly string[]) {
  const text = { type: 'string', default: '' } as const
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { reason: text, credits: text, billed: text },
    })
  } catch (cause) {
    // Node's message names the wrong option in its first sentence.
    const [problem = ''] = cause instanceof Error ? cause.message.split('. ') : []
    throw new Error(problem, { cause })
  }
}

/** As the usage shows them. */
export function describeArguments({ positional, hasReason = false, amounts = [] }: TakenArguments): string {
  const options = amounts.map((amount) => `[${amountOption(amount)}]`)
  return [...positional, ...options, ...(hasReason ? ['--reason TEXT'] : [])].join(' ')
}

function amountOption(amount: string): string {
  return `--${amount}=USD`
}

/** Dollars with a sign, at most six decimals. Blank is 0. */
export function amountOf(text: string): MicroUsd {
  const [, sign, dollars] = /^(-?)(\d{1,9}(?:\.\d{1,6})?)$/.exec(text || '0') ?? []
  if (!dollars) throw new Error(`${text} is not an amount in USD, such as 2.50`)
  return sign ? -fromUsd(Number(dollars)) : fromUsd(Number(dollars))
}
