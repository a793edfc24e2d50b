import { matchOf } from '../../../src/goals/goals.ts'
import { type ReadGoal, withText } from '../../../src/goals/read-goal.ts'
import { shapeWords } from '../../../src/goals/shapes.ts'
import { dropWords, joinWords } from '../../../src/goals/words.ts'

/** Words by which a goal asks for a file that is made of the media. */
const makingWords = [
  ...['cut', 'clip', 'trim', 'crop', 'split', 'extract', 'keep', 'save', 'grab', 'pull out', ...dropWords],
  ...['edit ', 'clean', 'normaliz', 'normalis', 'louder', 'lufs', 'resiz', 'burn', ...shapeWords],
  ...['snippet', 'excerpt', 'highlight', 'teaser', 'trailer', 'shorts', 'reels', 'tiktok', 'join ', ...joinWords],
  ...[
    'a video of',
    'video files',
    'make a video',
    'make a short',
    'file of',
    'file for',
    'as a file',
    'into a file',
    'own file',
    'take the word',
    'take the phrase',
  ],
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
  /\b(?:in|of|from|during|through|is|are) (?:this|that|these|the|my|our) (?:video )?(?:clips?|cut|reel|short)\b/g

/** Whether the goal asks for a file, such as a clip. Others ask for what is in the media, such as times. */
export function asksForFile(goal: ReadGoal): boolean {
  return matchOf(withText(goal, goal.text.replaceAll(refused, ' ').replaceAll(media, ' ')), [[makingWords]]) > 0
}
