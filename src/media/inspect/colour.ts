/** How the numbers of a picture stand for colours, by ffmpeg's names. Undefined where the file does not say. */
export interface Colour {
  readonly matrix?: string | undefined
  readonly transfer?: string | undefined
  readonly primaries?: string | undefined
  /** It has instructions of Dolby Vision, beside or on top of PQ or HLG. */
  readonly isDolbyVision?: boolean | undefined
}

/** The brightness of white paper and of captions in HDR, in cd/m² (ITU-R BT.2408, table 1) … */
const referenceWhite = 203
/** … and the share of the signal at which PQ and HLG have it. */
const hdrWhite: ReadonlyMap<string | undefined, number> = new Map([
  ['smpte2084', 0.58],
  ['arib-std-b67', 0.75],
])

/** Of a caption, 0 to 255. */
export function captionWhite({ transfer }: Colour): number {
  return Math.round(255 * (hdrWhite.get(transfer) ?? 1))
}

/** How receipts call it. */
export function dynamicRangeOf({ transfer, isDolbyVision = false }: Colour): string {
  if (isDolbyVision) return 'Dolby Vision'
  if (!hdrWhite.has(transfer)) return 'SDR'
  return transfer === 'smpte2084' ? 'PQ' : 'HLG'
}

/** Up to this share of white, brightness is kept. Brighter shades are pressed together, so that those up to 1,000 cd/m² differ. */
const keptShare = 0.7
const peak = 1000 / referenceWhite

/**
 * Filters for pictures that are looked at or stored as SDR: they turn HDR into BT.709, in which white stays white. None for SDR. They take
 * floating-point numbers, so scale the picture down before.
 */
export function toneMapFilters({ matrix = 'bt2020nc', transfer, primaries = 'bt2020' }: Colour): string[] {
  if (!hdrWhite.has(transfer)) return []
  return [
    `setparams=colorspace=${matrix}:color_primaries=${primaries}:color_trc=${transfer}`,
    ...[`zscale=transfer=linear:npl=${referenceWhite}`, 'format=gbrpf32le', 'zscale=primaries=bt709'],
    `tonemap=mobius:param=${keptShare}:peak=${peak.toFixed(3)}:desat=0`,
    ...['zscale=transfer=bt709:matrix=bt709:range=limited', 'format=yuv420p'],
  ]
}
