import type { ExportDocument } from './export-document.ts'

/** A command line for a POSIX shell that joins the entries, exact to the frame, beside the file that it reads. */
export function writeFfmpegCommand({ mediaName, entries, picture, sound }: ExportDocument): string {
  const trims = entries.map(({ start, end }, index) => {
    const window = `start=${start.toFixed(6)}:end=${end.toFixed(6)}`
    const video = picture ? `[0:v]trim=${window},setpts=PTS-STARTPTS[v${index}];` : ''
    const audio = sound ? `[0:a]atrim=${window},asetpts=PTS-STARTPTS[a${index}];` : ''
    return video + audio
  })
  const inputs = entries.map((_, index) => `${picture ? `[v${index}]` : ''}${sound ? `[a${index}]` : ''}`).join('')
  const outputs = `${picture ? '[v]' : ''}${sound ? '[a]' : ''}`
  const graph = `${trims.join('')}${inputs}concat=n=${entries.length}:v=${picture ? 1 : 0}:a=${sound ? 1 : 0}${outputs}`
  const maps = [...(picture ? ['-map', "'[v]'"] : []), ...(sound ? ['-map', "'[a]'"] : [])].join(' ')
  const dot = mediaName.lastIndexOf('.')
  const output = dot > 0 ? `${mediaName.slice(0, dot)}-cut${mediaName.slice(dot)}` : `${mediaName}-cut`
  return `ffmpeg -i ${inShell(mediaName)} -filter_complex '${graph}' ${maps} ${inShell(output)}\n`
}

/** A file name in this folder, whatever its characters. */
function inShell(fileName: string): string {
  return `'./${fileName.replaceAll("'", `'\\''`)}'`
}
