import path from 'node:path'
import { expect, it } from 'vitest'
import { placesOf } from '../../clients/typescript/src/cli/media.ts'

const named = (name: string) => ({ name, url: 'https://storage.example/1' })
const subtitles = ['talk.vtt', 'talk.srt', 'talk.json'].map(named)

it.each([
  ['the only file gets the name that was asked for', [named('talk.mp4')], 'out.mov', ['out.mov']],
  ['of several, the one with its ending does, and no other is saved', subtitles, 'out.srt', ['out.srt']],
  ['a folder gets all', subtitles, 'out', ['talk.vtt', 'talk.srt', 'talk.json'].map((name) => path.join('out', name))],
  [
    'so does a name with the ending of none or of several',
    subtitles.slice(0, 1).concat(subtitles[0] ?? []),
    'o.vtt',
    ['o.vtt/talk.vtt', 'o.vtt/talk.vtt'].map(path.normalize),
  ],
  [
    'what a service names never leaves the folder',
    [named('../../up.mp4'), named('b.mp4')],
    'out',
    ['up.mp4', 'b.mp4'].map((name) => path.join('out', name)),
  ],
  [
    'so does a name with an ending that is a folder',
    [named('talk.mp4')],
    'of.v2',
    [path.join('of.v2', 'talk.mp4')],
    true,
  ],
] as const)('%s', (_what, files, to, places, isFolder?: boolean) => {
  expect(placesOf(files, to, isFolder).map(([, place]) => place)).toEqual(places)
})
