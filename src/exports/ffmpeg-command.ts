import type { ExportDocument } from './export-document.ts'

/** A command line for a POSIX shell that joins the entries, exact to the frame, beside the file that it reads. */
export function writeFfmpegCommand({ mediaName, entries, picture, sound }: ExportDocument): string {
  const tracks = (sound?.searched ?? []).map(({ index }) => index)
  const trims = entries.map(({ start, end }, index) => {
    const window = `start=${start.toFixed(6)}:end=${end.toFixed(6)}`
    const video = picture ? `[0:v]trim=${window},setpts=PTS-STARTPTS[v${index}];` : ''
    const audio = tracks.map((track) => `[0:a:${track}]atrim=${window},asetpts=PTS-STARTPTS[a${track}-${index}];`)
    return video + audio.join('')
  })
  const inputs = entries.map(
    (_, index) => `${picture ? `[v${index}]` : ''}${tracks.map((track) => `[a${track}-${index}]`).join('')}`,
  )
  const outputs = [...(picture ? ['[v]'] : []), ...tracks.map((track) => `[a${track}]`)]
  const counts = `n=${entries.length}:v=${picture ? 1 : 0}:a=${tracks.length}`
  const graph = `${trims.join('')}${inputs.join('')}concat=${counts}${outputs.join('')}`
  const maps = outputs.map((output) => `-map '${output}'`).join(' ')
  const dot = mediaName.lastIndexOf('.')
  const output = dot > 0 ? `${mediaName.slice(0, dot)}-cut${mediaName.slice(dot)}` : `${mediaName}-cut`
  return `ffmpeg -i ${inShell(mediaName)} -filter_complex '${graph}' ${maps} ${inShell(output)}\n`
}

/** A file name in this folder, whatever its characters. */
function inShell(fileName: string): string {
  return `'./${fileName.replaceAll("'", `'\\''`)}'`
}
