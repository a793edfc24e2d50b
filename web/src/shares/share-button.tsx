import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Failure } from '../components/failure.tsx'
import { Form, Select } from '../components/form.tsx'
import { Icon } from '../components/icon.tsx'
import { useAction } from '../components/use-action.ts'
import { NewLink } from './new-link.tsx'
import { ShareList } from './share-list.tsx'
import { createShare, sharesQuery } from './share-queries.ts'

interface Props {
  readonly jobId: string
  /** What is shared, for those who do not see where the button stands. */
  readonly name: string
  /** Whether its media is an upload, which can be shared too. */
  readonly hasSource: boolean
  /** Whether it says what was said. */
  readonly hasTranscript?: boolean
}

/** Makes links to a result, and ends them. */
export function ShareButton({ jobId, name, hasSource, hasTranscript = false }: Props) {
  return (
    <Dialog
      trigger={
        <Button aria-label={`Share ${name}`}>
          <Icon name="share" className="size-4" />
          Share
        </Button>
      }
      title={`Share ${name}`}
      about="Everybody who has the link sees this result without signing in, and nothing else of yours."
    >
      <NewShare jobId={jobId} hasSource={hasSource} hasTranscript={hasTranscript} />
      <SharesOf jobId={jobId} />
    </Dialog>
  )
}

const lengths = [
  [86_400, 'A day'],
  [604_800, 'A week'],
  [2_592_000, '30 days'],
] as const

function NewShare({ jobId, hasSource, hasTranscript }: Omit<Props, 'name'>) {
  const [url, setUrl] = useState<string>()
  const make = useAction(async (form: FormData) => {
    const isChosen = (name: string) => form.get(name) === 'on'
    const made = await createShare({
      job_id: jobId,
      expires_in_seconds: Number(form.get('expires_in_seconds')),
      allow_download: isChosen('allow_download'),
      allow_embed: isChosen('allow_embed'),
      include_source: isChosen('include_source'),
      include_transcript: isChosen('include_transcript'),
    })
    setUrl(made)
  }, sharesQuery)
  if (url) return <NewLink url={url} onDone={() => setUrl(undefined)} />
  return (
    <Form action={make} submit="Create the link">
      <Select label="For how long" name="expires_in_seconds" defaultValue={604_800} choices={lengths} />
      <fieldset className="flex flex-col gap-1">
        <legend className="pb-1 font-medium">What the page also has</legend>
        <Choice name="allow_download" label="A button that saves the file" />
        {hasSource && <Choice name="include_source" label="The whole recording" />}
        {hasTranscript && <Choice name="include_transcript" label="What is said" />}
        <Choice name="allow_embed" label="A player that other sites may embed" />
      </fieldset>
    </Form>
  )
}

function Choice({ name, label }: { readonly name: string; readonly label: string }) {
  return (
    <label className="flex min-h-8 items-center gap-3 pointer-coarse:min-h-11">
      <input type="checkbox" name={name} className="size-4 accent-accent" />
      {label}
    </label>
  )
}

function SharesOf({ jobId }: { readonly jobId: string }) {
  const { data = [], error } = useQuery(sharesQuery)
  const own = data.filter(({ job_id }) => job_id === jobId)
  if (error) return <Failure error={error} />
  return own.length === 0 ? null : <ShareList shares={own} />
}
