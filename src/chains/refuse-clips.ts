import { asOfStep } from '../core/step-paths.ts'
import { refuseClip } from '../endpoints/refuse-clip.ts'
import { clipNearSettings } from '../endpoints/video-clip-near/declaration.ts'
import type { StepSettings } from './earlier-jobs.ts'

const picture = clipNearSettings.pick({
  ...{
    format: true,
    mode: true,
    audio_only: true,
    aspect: true,
    height: true,
    deinterlace: true,
    loudness: true,
    captions: true,
  },
})

/** Settings of captions with the transcript of a job, unless they have captions of their own. Other values are left as they are. */
export function withTranscript(captions: unknown, jobId: string): unknown {
  const isOpen = typeof captions === 'object' && captions !== null && !('job_id' in captions) && !('text' in captions)
  return isOpen ? { ...captions, job_id: jobId } : captions
}

/**
 * Refuses what the step that cuts would refuse, before the steps ahead of it are charged. Captions of a chain that transcribes come
 * from its own transcript.
 */
export function refuseClips(given: StepSettings, step: string, transcribes = false): string | undefined {
  const settings = given[step] ?? {}
  const captions = transcribes ? withTranscript(settings['captions'], 'job_0') : settings['captions']
  const { data } = picture.safeParse({ ...settings, captions })
  const problem = data && refuseClip(data)
  return problem === undefined ? undefined : asOfStep(problem, step)
}
