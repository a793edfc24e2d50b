import { clipFormats } from '../../../../src/core/media.ts'
import { silenceWords } from '../../../../src/goals/words.ts'
import { type Gap, goalOf, listed } from './gap.ts'

const several = 'videos, files, recordings, episodes, songs, mp4 and, mp3 and, mov and, wav and'
/** A clip of that length exists. */
const clips = 'a clip, teaser, trailer, highlight, short , snippet, excerpt, reel, max, every , clips'
const sites = ['youtube', 'vimeo', 'tiktok', 'instagram', 'facebook', 'twitter', 'twitch', 'dailymotion']
const parts = '<parts>, <time>, <window>, pieces, parts, mp3s, files, chunks'

export const fileGaps: readonly Gap[] = [
  { what: 'makes GIFs', goals: [goalOf('gif , gifs ')], instead: 'video/clip-window makes short clips: mp4, or webm.' },
  {
    what: 'writes this format',
    goals: [goalOf('<other-format>')],
    asks: listed('convert, change, turn, transcod, extract, save, rip , pull'),
    instead: `settings.format of a clip takes ${clipFormats.join(', ')}.`,
  },
  {
    what: 'writes documents',
    goals: [goalOf('pdf , docx, word document, word file, google doc, powerpoint, text file')],
    instead: 'audio/find-words returns the transcript as text, and as subtitles.',
    isDetail: true,
  },
  {
    what: 'generates media or speech',
    goals: [
      goalOf('generat', 'video, image, speech, music, voice, audio, picture'),
      goalOf('text to speech, text-to-speech, avatar, animat, deepfake, clone my voice, voice clone'),
    ],
  },
  {
    what: 'downloads from or publishes to video sites',
    goals: [
      goalOf(
        'youtube, tiktok, instagram, vimeo, facebook, linkedin, twitter, spotify',
        'download, publish, post, upload, share',
      ),
      goalOf('publish, google drive, dropbox'),
    ],
  },
  {
    what: 'reads live streams',
    goals: [goalOf('live stream, livestream, live-stream, live feed, live broadcast, rtmp, stream live')],
    unless: listed('recording of, recorded, recording from, past , vod , replay'),
    asks: listed('live, stream, record'),
    instead: 'A job reads a file that is complete: record the stream, and send the recording.',
  },
  {
    what: 'reads pages of video sites',
    goals: [
      goalOf(sites.flatMap((site) => [`${site} link`, `${site} url`, `${site} page`, `${site} video link`]).join(', ')),
      goalOf(
        sites.flatMap((site) => [`from ${site}`, `${site} com`, `link to ${site}`, `link to a ${site}`]).join(', '),
      ),
      goalOf('youtu be, twitch tv'),
    ],
    instead: 'A page is no media: send the URL of the file itself, or upload the file with svc.create_upload.',
    isDetail: true,
  },
  {
    what: 'sends email',
    goals: [goalOf('email it, email me, email the, mail it, mail me')],
    // The user sends it.
    unless: ['can', 'could', 'want', 'need', 'able'].flatMap((verb) =>
      ['i', 'we'].flatMap((who) => listed(`${who} ${verb} email, ${who} ${verb} mail, ${who} ${verb} to email`)),
    ),
    instead: 'svc.regenerate_output_url signs new links to the files of a completed job.',
  },
  {
    what: 'joins several media files',
    goals: [
      goalOf('merge, join, combine, concat, append, stitch', several),
      goalOf('put, glue', 'together', `${several}, two clips`),
      goalOf('<files>'),
    ],
    instead: 'A job reads one file: join the files in an editor, and send the joined file.',
  },
  {
    what: 'changes the order of parts',
    goals: [
      goalOf('swap, reorder, rearrange, shuffle'),
      goalOf('put , move ', 'before, after, front, beginning, to the end', '<window>'),
    ],
    asks: listed('<window>, <time>, put , move '),
    instead:
      'The ranges of a clip play in the order of the media. With "join": false, video/clip-window makes a file of each.',
  },
  {
    what: 'calls webhooks',
    goals: [goalOf('webhook, callback url')],
    instead: 'svc.get_job with wait_seconds waits for the end of a job.',
  },
  {
    what: 'shortens media to a length of your choice',
    goals: [
      goalOf(
        'make, cut it, cut the, cut my, cut this, shorten, get it, trim, reduce, condense, edit, bring',
        'to , long , shorter than, under , at most, less than, fit in, into ',
        'second',
      ),
      goalOf('make, create, give, want, need', 'version', 'second'),
    ],
    unless: [...silenceWords, ...listed(parts), ...listed(clips)],
    instead: 'remove-dead-space and clean-speech shorten speech, by as much as its pauses and fillers take.',
  },
]
