import { useNavigate } from '@tanstack/react-router'
import { api, resultOf } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { useAction } from '../../components/use-action.ts'
import episodeUrl from './sample-episode.mp3'

/** Opens an episode that a machine reads, with its pauses and words, for people without a recording at hand. */
export function SampleEpisode() {
  const navigate = useNavigate()
  const open = useAction(async () => {
    const form = new FormData()
    form.set('file', await (await fetch(episodeUrl)).blob(), 'Sample episode.mp3')
    const { upload } = await resultOf(api.POST('/v1/uploads', { body: { file: '' }, bodySerializer: () => form }))
    await resultOf(api.POST('/api/dashboard/sample', { body: { media_url: upload.media_url } }))
    await navigate({ to: '/studio/$uploadId', params: { uploadId: upload.id } })
  })
  return (
    <>
      <Failure error={open.error} />
      <Button isBusy={open.isBusy} onClick={() => open.run()}>
        Open a sample episode
      </Button>
      <p className="text-xs text-quiet">Its pauses and words are found for free.</p>
    </>
  )
}
