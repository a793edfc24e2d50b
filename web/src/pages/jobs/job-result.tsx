import { Link } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { buttonStyle } from '../../components/button.tsx'
import { bytesInWords, lengthInWords } from '../../components/format.ts'
import { Icon } from '../../components/icon.tsx'
import { useHeldAddress } from '../../studio/use-source.ts'

const file = z.object({
  name: z.string(),
  content_type: z.string(),
  url: z.string(),
  expires_at: z.string(),
  download_url: z.string(),
  bytes: z.number(),
  duration: z.optional(z.number()),
})
const filesOf = z.object({ output: z.optional(file), outputs: z.optional(z.array(file)) })

type ResultFile = z.output<typeof file>

interface Props {
  readonly result: unknown
  readonly uploadId: string | undefined
  /** Called when the addresses of the files are over. */
  readonly onOver: () => void
}

/** What a job or a run made, to hear, to see and to take home, and the way to its studio. */
export function JobResult({ result, uploadId, onOver }: Props) {
  const { output, outputs } = filesOf.safeParse(result).data ?? {}
  const files = outputs ?? (output ? [output] : [])
  return (
    <>
      {files.length > 0 && (
        <ul aria-label="Files" className="flex flex-col gap-6">
          {files.map((each) => (
            <li key={each.name} className="flex flex-col gap-3">
              <p className="wrap-anywhere">
                <span className="font-medium">{each.name}</span>
                {each.duration ? <span className="text-quiet"> · {lengthInWords(each.duration)}</span> : null}
              </p>
              <Shown file={each} isAlone={files.length === 1} onOver={onOver} />
              <a href={each.download_url} download={each.name} className={`${buttonStyle.secondary} self-start`}>
                <Icon name="download" className="size-4" />
                <span>
                  Download <span className="sr-only">{each.name}</span> · {bytesInWords(each.bytes)}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
      {uploadId && (
        <Link to="/studio/$uploadId" params={{ uploadId }} className={`${buttonStyle.secondary} self-start`}>
          Open in the studio
        </Link>
      )}
    </>
  )
}

interface ShownProps extends Pick<Props, 'onOver'> {
  readonly file: ResultFile
  readonly isAlone: boolean
}

/** A file that browsers can show. It keeps its address while that is valid, so that it plays on. */
function Shown({ file: { name, content_type: type, ...signed }, isAlone, onOver }: ShownProps) {
  const { address, release } = useHeldAddress(name, signed)
  if (!address) return null
  const media = {
    controls: true,
    src: address.url,
    'aria-label': name,
    preload: isAlone ? 'metadata' : 'none',
    onError: () => {
      if (Date.parse(address.expires_at) > Date.now()) return
      release()
      onOver()
    },
  }
  if (type.startsWith('image/'))
    return <img src={address.url} alt={name} className="max-h-96 self-start rounded-md border border-line" />
  if (type.startsWith('audio/')) return <audio {...media} className="w-full" />
  if (type.startsWith('video/')) return <video {...media} playsInline className="max-h-96 w-full rounded-md bg-black" />
  return null
}

export function Json({ value }: { readonly value: unknown }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <pre tabIndex={0} className="max-h-96 overflow-auto rounded-md bg-raised p-3 text-sm break-all whitespace-pre-wrap">
      {JSON.stringify(value, null, 2)}
    </pre>
  )
}
