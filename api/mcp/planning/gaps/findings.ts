import { transcriptWords } from '../../../../src/goals/words.ts'
import { type Gap, goalOf, listed } from './gap.ts'

const speakers =
  'diari, by speaker, each speaker, per speaker, which speaker, speaker change, speaker name, speaker label, speaker recogni, speaker detect, detect speaker, detect the speaker, find the speaker'
const whoSpeaks = ['speak', 'spoke', 'talk', 'said what', 'says what', 'said it', 'said that', 'laugh']
  .flatMap((verb) => [`who ${verb}`, `who is ${verb}`, `who's ${verb}`])
  .join(', ')

export const findingGaps: readonly Gap[] = [
  {
    what: 'recognizes people',
    goals: [[transcriptWords, listed(`${speakers}, ${whoSpeaks}`)]],
    isDetail: true,
  },
  {
    what: 'recognizes people',
    goals: [
      goalOf(`${speakers}, ${whoSpeaks}`),
      goalOf('each person, per person, each participant, per participant', 'talk, speak, spoke, say, said'),
      goalOf('face, facial', 'recogni, identify, whose, search, match'),
      goalOf('identify, label, separate, recogni', 'speaker, people, person, voice'),
      goalOf('who is in, who appears, who is on'),
    ],
    unless: transcriptWords,
    asks: listed('who, talk, speak, spoke, said, says, how long'),
  },
  {
    what: 'finds scenes, music, advertisements, people or things',
    goals: [
      goalOf(
        'find, detect, where, when, list, cut, split, clip, every',
        'scene, shot change, shot bound, the music, music play, gunshot, face , faces , people, a car , a dog, a cat, animal, kills , my kill, every kill, every goal, all goals, the goals, touchdown, explosion',
      ),
      goalOf(
        'remove, cut, skip, find, delete, where, without, detect',
        'intro , outro, advert, ads , ad break, commercial, sponsor, credits',
      ),
    ],
    unless: listed(
      '<window>, <time>, <quoted>, spent, left, text, say, said, talk, laugh, clap, cheer, applau, shout, scream',
    ),
    instead:
      'Endpoints find words, topics, laughter, silence, loud moments and text on the screen. If the user knows the times, video/clip-window keeps or removes them.',
  },
  {
    what: 'finds where slides begin and end',
    goals: [goalOf('cut, clip, split, divide, video of, video for', 'slide')],
    unless: listed('<quoted>, <time>, <window>, say, says, show, read, mention, image, picture, screenshot, pdf'),
    instead:
      'video/text-frames finds when the text of each slide is shown: send the times as settings.ranges of video/clip-window, with "join": false.',
  },
  {
    what: 'summarizes or judges what is said, or writes about it',
    goals: [
      goalOf(
        'summar, sentiment, emotion, mood, fact-check, fact check, show notes, blog post, key takeaway, key point',
      ),
      goalOf(
        'quiz, flashcard, action item, meeting notes, meeting minutes, minutes of, lecture notes, study guide, tldr',
      ),
      goalOf('describe the, describe my, describe what, describe it'),
      goalOf('into notes, notes from, notes of, take notes, hashtag'),
      goalOf('find, list, where, when, which, what, all , every', 'question'),
      goalOf('write, draft', 'post , article, notes, description, newsletter, title, caption for, tweet, email'),
    ],
    unless: listed('pause, silence'),
    instead: 'audio/find-words returns the transcript, and audio/semantic-chunks its topics.',
  },
  {
    what: 'tells which language is spoken',
    goals: [goalOf('which, what, identify, detect, recogni', 'language')],
  },
  {
    what: 'reports the codecs, the resolution or the frame rate of media',
    goals: [
      goalOf(
        'what, which, tell, show, get, find',
        'resolution, codec, frame rate, framerate, what format, which format, metadata, sample rate',
      ),
      goalOf('how big, how large'),
    ],
  },
  {
    what: 'judges which moments are the best',
    goals: [
      goalOf('best, interesting, viral, engaging, exciting, most important', 'moment, part, highlight, clip, bit'),
    ],
  },
  {
    what: 'judges which quotes are the best',
    goals: [goalOf('best, interesting, strongest, memorable, most important', 'quote, soundbite, sound bite, lines')],
    instead:
      'audio/find-words returns the transcript: choose from it, and send the times as settings.moments of video/clip-near.',
  },
]
