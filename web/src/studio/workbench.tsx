import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Job, PlayableUpload } from '../api/queries.ts'
import { Button } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { Icon } from '../components/icon.tsx'
import { UnsentNote } from '../uploads/unsent-note.tsx'
import { UploadControls } from '../uploads/upload-controls.tsx'
import { CutButton } from './cut-button.tsx'
import { FinderButton } from './finder-button.tsx'
import { Inspector } from './inspector.tsx'
import { PlayableCopy } from './playable-copy.tsx'
import { Player } from './player.tsx'
import { ShortcutHelp } from './shortcut-help.tsx'
import { totalSeconds } from './spans.ts'
import { TimelineArea } from './timeline-area.tsx'
import { Transcript } from './transcript.tsx'
import { Transport } from './transport.tsx'
import { useCut } from './use-cut.ts'
import { useIsWide } from './use-is-wide.ts'
import type { MediaLength } from './use-length.ts'
import { useMedia } from './use-media.ts'
import { useResultFocus } from './use-result-focus.ts'
import { type Workbench as Bench, useWorkbench } from './use-workbench.ts'

interface Props {
  readonly upload: PlayableUpload
  readonly jobs: readonly Job[]
}

/** As they are seen, so that keys and screen readers go through them in this order. `styles.css` has their places. */
const wideOrder = ['words', 'player', 'side', 'time'] as const
const narrowOrder = ['player', 'time', 'words', 'side'] as const

/** The media with its timeline: what was found is seen, heard, corrected and cut. */
export function Workbench({ upload, jobs }: Props) {
  const { source, sent, isReady, length, pausesJob, wordsJob, copyJob } = useMedia(upload, jobs)
  const bench = useWorkbench(upload.id, pausesJob, wordsJob)
  const { pauses, words, kept, durationSeconds, playback, act } = bench
  const navigate = useNavigate()
  const cut = useCut(upload, kept.ranges, jobs)
  const cutFile = useRef<HTMLElement>(null)
  const isSound = upload.content_type.startsWith('audio/')
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // What led here is gone with its page.
    if (document.activeElement === document.body) heading.current?.focus()
  }, [])
  const pausesFocus = useResultFocus<HTMLHeadingElement>(pauses !== undefined)
  const wordsFocus = useResultFocus<HTMLElement>(words !== undefined)
  const isWide = useIsWide()
  const { unread } = length
  const finder = {
    mediaUrl: upload.media_url,
    mediaSeconds: length.seconds ?? durationSeconds,
    hindrance: hindranceOf(isReady, length),
    lengthError: length.error,
  }
  const parts = {
    words: (
      <div key="words" {...wordsFocus.finder} className="flex min-h-0 flex-col p-4 [grid-area:words]">
        {words ? (
          <Transcript
            section={wordsFocus.result}
            words={words}
            cuts={bench.cuts}
            durationSeconds={durationSeconds}
            onSeek={bench.goTo}
            onEdit={bench.edit}
            onFollow={playback.onFollow}
          />
        ) : (
          <Unread job={wordsJob} problem={bench.wordsProblem}>
            <FinderButton endpoint="audio/find-words" job={wordsJob} {...finder} />
          </Unread>
        )}
      </div>
    ),
    player: (
      <div key="player" className="flex min-h-0 flex-col gap-3 p-4 [grid-area:player]">
        {source.url && <Player url={source.url} isSound={isSound} source={source} bench={bench} />}
        <PlayableCopy source={source} isSound={isSound} unread={unread} job={copyJob} {...finder} />
        <Transport bench={bench} canPlay={source.canPlay} />
        {sent && <UploadControls sent={sent} onStop={() => void navigate({ to: '/media' })} />}
      </div>
    ),
    side: pauses && (
      <aside
        key="side"
        aria-label="Pauses and cuts"
        className="flex min-h-0 flex-col gap-4 border-line bg-surface p-4 [grid-area:side] max-md:border-t md:overflow-y-auto md:border-l"
      >
        <Inspector
          heading={pausesFocus.result}
          bench={bench}
          pauses={pauses}
          cutId={cut.lastId}
          cutFile={cutFile}
          cutError={cut.error}
          wordsJob={wordsJob}
          upload={upload}
          isSound={isSound}
        />
      </aside>
    ),
    time: (
      <section
        key="time"
        {...pausesFocus.finder}
        aria-label="Timeline"
        className="min-h-0 border-t border-line bg-timeline [grid-area:time]"
      >
        {pauses ? (
          <TimelineArea bench={bench} pauses={pauses} />
        ) : (
          <Unsearched unsentId={isReady || sent ? undefined : upload.id} unread={unread}>
            <FinderButton look="primary" endpoint="audio/detect-silence" job={pausesJob} {...finder} />
          </Unsearched>
        )}
      </section>
    ),
  }
  return (
    <div className={`studio ${isSound ? 'studio-of-sound' : ''} ${words ? '' : 'studio-without-words'}`}>
      <header className="flex min-h-12 flex-wrap items-center gap-2 border-b border-line bg-surface px-4 py-1.5 [grid-area:head]">
        <Link
          to="/media"
          aria-label="Back to the media"
          className="rounded-md p-1.5 hover:bg-raised pointer-coarse:p-3"
        >
          <Icon name="back" />
        </Link>
        <h1 ref={heading} tabIndex={-1} className="min-w-32 flex-1 truncate font-semibold">
          {upload.name}
        </h1>
        <Button
          aria-label="Undo"
          aria-keyshortcuts="Control+Z"
          title="Ctrl + Z"
          className="px-2.5"
          isBusy={bench.state.past.length === 0}
          onClick={() => act('undo')}
        >
          <Icon name="undo" className="size-4" />
        </Button>
        <Button
          aria-label="Redo"
          aria-keyshortcuts="Control+Shift+Z"
          title="Ctrl + Shift + Z"
          className="px-2.5"
          isBusy={bench.state.future.length === 0}
          onClick={() => act('redo')}
        >
          <Icon name="redo" className="size-4" />
        </Button>
        <ShortcutHelp isOpen={bench.isHelpOpen} onOpenChange={bench.setHelpOpen} />
        {pauses && (
          <CutButton
            isSound={isSound}
            keptSeconds={totalSeconds(kept.ranges)}
            mediaSeconds={durationSeconds}
            isBusy={cut.isBusy || pauses.isOld || bench.cuts.length === 0}
            onOpen={cut.isCut ? () => cutFile.current?.focus() : undefined}
            onCut={cut.run}
          />
        )}
      </header>

      {(isWide ? wideOrder : narrowOrder).map((name) => parts[name])}
    </div>
  )
}

interface UnreadProps {
  readonly job: Job | undefined
  readonly problem: Bench['wordsProblem']
  readonly children: ReactNode
}

/** What stands in place of the transcript: the way to one, or why a paid one is not here. */
function Unread({ job, problem, children }: UnreadProps) {
  if (job?.status === 'completed' && problem)
    return (
      <div className="flex flex-col gap-3">
        <Failure error={problem.error} />
        <p>
          The words were found, but not loaded. Reload the page
          {problem.fileUrl && (
            <>
              , or{' '}
              <a href={problem.fileUrl} download className="underline">
                download them
              </a>
            </>
          )}
          .
        </p>
      </div>
    )
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
      <Icon name="words" className="mt-1.5 size-6 text-quiet" />
      <p className="min-w-48 flex-1 pt-2 text-quiet">
        Read what is said, search it, and cut by selecting words. English only.
      </p>
      {job?.status === 'completed' ? <p role="status">Loading the words …</p> : children}
    </div>
  )
}

interface UnsearchedProps {
  /** The upload, if bytes of it are missing that this page does not send. */
  readonly unsentId: string | undefined
  readonly unread: Error | undefined
  /** The one thing to do. */
  readonly children: ReactNode
}

/** What stands in place of the timeline until pauses are found. */
function Unsearched({ unsentId, unread, children }: UnsearchedProps) {
  return (
    <div className="flex h-full flex-col items-center justify-center gap-3 p-6 text-center">
      <Icon name="sound" className="size-8 text-quiet" />
      {unsentId !== undefined && <UnsentNote uploadId={unsentId} />}
      {unread && (
        <div className="max-w-[70ch] text-left">
          <Failure error={unread} />
        </div>
      )}
      {!unread && unsentId === undefined && (
        <p className="max-w-md text-balance text-quiet">
          See the waveform, hear the recording without its pauses, and cut it.
        </p>
      )}
      {children}
    </div>
  )
}

function hindranceOf(isReady: boolean, { unread, isRead }: MediaLength): string | undefined {
  if (unread) return 'The service cannot read this file'
  if (!isReady) return 'Ready when the upload is complete'
  return isRead ? undefined : 'The service reads the length …'
}
