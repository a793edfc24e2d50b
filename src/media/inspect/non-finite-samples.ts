import type { AudioTrack } from '../../core/media.ts'

/**
 * Filters that report frames with samples that are no number, or infinite: on standard error, where each line counts as a decoding
 * error. Only floating-point samples can be, so other tracks need none. `ametadata` prints values above the given one.
 */
export function nonFiniteFilters({ codec }: Pick<AudioTrack, 'codec'>): string[] {
  if (!/^pcm_f(32|64)/.test(codec)) return []
  const print = (name: string) =>
    `ametadata=mode=print:key=lavfi.astats.Number of ${name}:value=0.5:function=greater:file=pipe\\\\:2`
  return [
    'astats=metadata=1:reset=1:measure_perchannel=none:measure_overall=Number_of_NaNs+Number_of_Infs',
    print('NaNs'),
    print('Infs'),
  ]
}
