import { exportFormats } from '../../../src/exports/export-formats.ts'
import { matchOf } from '../../../src/goals/goals.ts'
import { type ReadGoal, withoutWords, withText } from '../../../src/goals/read-goal.ts'
import { shapeWords } from '../../../src/goals/shapes.ts'
import { clipsWords, dropWords, joinWords } from '../../../src/goals/words.ts'

/** Words that name clips, or what is cut. */
const cuttingWords = [
  ...['cut', 'clip', 'trim', 'keep', 'split at', '<split>', '<parts>', ...dropWords],
  ...['highlight', 'teaser', 'trailer', 'shorts', 'reels', 'tiktok', 'join ', ...joinWords, ...clipsWords],
  ...[
    'a video of',
    'video files',
    'mp3s',
    'own file',
    'own video',
    'own clip',
    'file of',
    'file per',
    'file for each',
    'files',
  ],
]

/** Words by which a goal asks for a file that is made of the media. */
const makingWords = [
  ...cuttingWords,
  ...['crop', 'split', 'extract', 'save', 'grab', 'pull out', 'snippet', 'excerpt', 'soundbite', 'sound bite'],
  ...[
    'edit ',
    'clean',
    'normaliz',
    'normalis',
    'louder',
    'lufs',
    '<loudness>',
    '<standard>',
    '<captioned>',
    '<louder>',
    '<quieter>',
    '<smaller>',
    '<format>',
    '<size>',
    'resiz',
    'burn',
    ...shapeWords,
  ],
  ...['make a video', 'make a short', 'file for', 'as a file', 'into a file', 'take the word', 'take the phrase'],
]

const between = String.raw`\s+(?:[\p{L}']+\s+){0,3}?`
const begun = makingWords.filter((word) => /^[a-z]+$/.test(word)).join('|')
/** "Do not cut anything", "no clips". */
const refused = new RegExp(
  String.raw`\b(?:do not|don['’]t|not|no|never|without|instead of|rather than)${between}(?:${begun})[\p{L}-]*`,
  'gu',
)
/** "In this clip" is the media itself. */
const media =
  /\b(?:in|of|from|during|through|is|are) (?:this|that|these|the|my|our) (?:video )?(?:clips?|cut|reel|short|files?)\b/g

/** Whether the goal asks for a file, such as a clip. Others ask for what is in the media, such as times. */
export function asksForFile(goal: ReadGoal): boolean {
  return matchOf(wished(goal), [[makingWords]]) > 0
}

/** Whether the goal asks to cut what is found. */
export function asksForCut(goal: ReadGoal): boolean {
  return matchOf(wished(goal), [[cuttingWords]]) > 0
}

/** What people call files with times. "Final Cut" is a program. */
export const exportWords = Object.values(exportFormats).flatMap(({ words }) => words)

function wished(written: ReadGoal): ReadGoal {
  const goal = withoutWords(written, exportWords)
  return withText(goal, goal.text.replaceAll(refused, ' ').replaceAll(media, ' '))
}
