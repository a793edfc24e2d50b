import type { ExportDocument } from './export-document.ts'

/** A command line for a POSIX shell that joins the entries, exact to the frame, beside the file that it reads. */
export function* writeFfmpegCommand({ mediaName, entries, picture, sound }: ExportDocument): Generator<string> {
  const tracks = (sound?.searched ?? []).map(({ index }) => index)
  yield `ffmpeg -i ${inShell(mediaName)} -filter_complex '`
  for (const [index, { start, end }] of entries.entries()) {
    const window = `start=${start.toFixed(6)}:end=${end.toFixed(6)}`
    if (picture) yield `[0:v]trim=${window},setpts=PTS-STARTPTS[v${index}];`
    for (const track of tracks) yield `[0:a:${track}]atrim=${window},asetpts=PTS-STARTPTS[a${track}-${index}];`
  }
  const inputs = entries.map(
    (_, index) => `${picture ? `[v${index}]` : ''}${tracks.map((track) => `[a${track}-${index}]`).join('')}`,
  )
  const outputs = [...(picture ? ['[v]'] : []), ...tracks.map((track) => `[a${track}]`)]
  const counts = `n=${entries.length}:v=${picture ? 1 : 0}:a=${tracks.length}`
  const graph = `${inputs.join('')}concat=${counts}${outputs.join('')}`
  const maps = outputs.map((output) => `-map '${output}'`).join(' ')
  const dot = mediaName.lastIndexOf('.')
  const output = dot > 0 ? `${mediaName.slice(0, dot)}-cut${mediaName.slice(dot)}` : `${mediaName}-cut`
  yield `${graph}' ${maps} ${inShell(output)}\n`
}

/** A file name in this folder, whatever its characters. */
function inShell(fileName: string): string {
  return `'./${fileName.replaceAll("'", `'\\''`)}'`
}
