interface Sound {
  readonly before: Int16Array
  readonly after: Int16Array
  readonly sampleRate: number
  /** The maximum distance of a cut from its requested time. */
  readonly frameSeconds: number
}

export interface Joint {
  /** The samples around the joint. */
  readonly made: Int16Array
  /** The samples around the two positions of the source that meet there. */
  readonly source: readonly Int16Array[]
}

const aroundSeconds = 0.05

/** The samples at each joint of the joined ranges, and those of the source. */
export function jointsOf(
  { before, after, sampleRate, frameSeconds }: Sound,
  ranges: readonly { readonly start: number; readonly end: number }[],
): Joint[] {
  const around = (samples: Int16Array, atSeconds: number, seconds: number) =>
    samples.subarray(
      Math.max(0, Math.floor((atSeconds - seconds) * sampleRate)),
      Math.ceil((atSeconds + seconds) * sampleRate),
    )
  let seconds = 0
  return ranges.slice(0, -1).map(({ start, end }, index) => {
    seconds += end - start
    const next = ranges[index + 1]?.start ?? end
    return {
      made: around(after, seconds, aroundSeconds),
      source: [end, next].map((cut) => around(before, cut, aroundSeconds + frameSeconds)),
    }
  })
}

/** The largest difference between adjacent samples. */
export function stepOf(samples: Int16Array): number {
  return samples.reduce((most, sample, index) => Math.max(most, Math.abs(sample - (samples[index - 1] ?? sample))), 0)
}

/** The length of the longest row of zero samples. */
export function longestZeros(samples: Int16Array): number {
  let most = 0
  let run = 0
  for (const sample of samples) {
    run = sample === 0 ? run + 1 : 0
    most = Math.max(most, run)
  }
  return most
}
