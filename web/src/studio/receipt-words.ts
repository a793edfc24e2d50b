interface Receipt {
  readonly drift_ms: number
  readonly audio_video_offset_ms: number | null
}

/** How exact a cut file is, as its receipt has it. */
export function syncInWords({ drift_ms: drift, audio_video_offset_ms: offset }: Receipt): string {
  const isExact = Math.abs(drift) <= 1
  const length = isExact ? 'It is as long as the timeline says' : `Its length differs by ${Math.abs(drift)} ms`
  return offset === null
    ? `${length}.`
    : `${length}, and sound and picture end ${Math.abs(Math.round(offset))} ms apart.`
}
