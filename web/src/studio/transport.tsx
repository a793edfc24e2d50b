import { Button } from '../components/button.tsx'
import { clock } from '../components/format.ts'
import { Icon } from '../components/icon.tsx'
import type { Workbench } from './use-workbench.ts'

interface Props {
  readonly bench: Workbench
  readonly canPlay: boolean
}

export function Transport({ bench, canPlay }: Props) {
  const { isPlaying, hearsCut, setHearsCut, timeText } = bench.playback
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button
        onClick={() => bench.act('play')}
        disabled={!canPlay}
        aria-keyshortcuts="Space"
        className="w-28 disabled:opacity-60"
      >
        <Icon name={isPlaying ? 'pause' : 'play'} className="size-4" />
        {isPlaying ? 'Pause' : 'Play'}
      </Button>
      <p className="font-mono tabular-nums">
        <span ref={timeText}>{clock(0, 2)}</span>{' '}
        <span className="text-quiet">/ {clock(bench.durationSeconds, 2)}</span>
      </p>
      {bench.cuts.length > 0 && (
        <label className="flex min-h-9 items-center gap-2 pointer-coarse:min-h-11">
          <input
            type="checkbox"
            checked={hearsCut}
            onChange={(event) => setHearsCut(event.target.checked)}
            className="size-4 accent-accent"
          />
          Play the cut
        </label>
      )}
    </div>
  )
}
