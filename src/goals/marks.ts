import { equalPartsIn } from './goal-lengths.ts'
import { otherLanguages } from './languages.ts'
import { loudnessIn } from './loudness.ts'

// Marks before words of a goal, for what several words say together. The goals of endpoints name them as they name words.

const splitVerb = '(?:cut|split|divide|chop|break|slice)'
/** "Cut at 0:10", and not "cut a clip at 0:10". */
const splitPoint = new RegExp(
  String.raw`\b${splitVerb} (?:(?:it|this|that|the|my|our|video|film|movie|recording|podcast|audio|file|media|talk|episode|in|into|2|3|up|apart|parts|pieces|files) ){0,6}(?:at|after|on) {1,3}<time>`,
)
const pictures = '(?:pictures|images|photos|jpe?gs|webps|thumbnails|covers|posters|screenshots)'
const ownPictures = new RegExp(
  String.raw`\b(?:(?:my|these|those|our) (?:\d+ )?(?:(?:own|uploaded|different|candidate) )?|uploaded |which of (?:the )?(?:\d+ )|compare (?:the )?(?:\d+ )?|between (?:the )?\d+ )${pictures}\b`,
)
const ownMedia =
  /\b(?:my|our|all(?: of)?(?: the)?|across|earlier|past|previous|already) (?:[a-z]+ ){0,3}?(?:files|videos|recordings|episodes|podcasts|uploads|films|talks|interviews|lectures|meetings|calls|library|archive|jobs|transcripts)\b/

const captions = '(?:captions?|subtitles?)'
const picture =
  '(?:videos?|films?|movies?|footage|clips?|reels?|shorts?|recordings?|episodes?|pictures?|screen|it|them)'
/** "Put subtitles on my video", "caption my video", "my video with subtitles". */
const captioned = new RegExp(
  String.raw`\b(?:put|add|burn|overlay|place|draw)\b[^.,;]{0,40}?\b${captions}\b[^.,;]{0,40}?\b(?:on|onto|to|into|in|over) (?:[a-z-]+ ){0,4}?${picture}\b` +
    String.raw`|\b(?:caption|subtitle) (?:my|our|this|the|an?) (?:[a-z-]+ ){0,2}?${picture}\b` +
    String.raw`|\b(?:videos?|films?|movies?|footage) with (?:[a-z-]+ ){0,3}?${captions}\b`,
)
const language = `(?:${otherLanguages.map((name) => name.replace(/^in /, '').trim()).join('|')})`
/** Captions in another language, and not captions of what is said in it. */
const translated = new RegExp(
  String.raw`\b${language} ${captions}\b|\b${captions}\b[^.,;]{0,40}?\b(?:in|into) ${language}\b`,
)

/**
 * `<split>`: a cut at a time. `<parts>`: equal parts. `<pictures>`: pictures of the user. `<library>`: all media of the user.
 * `<loudness>`: a loudness in LUFS. `<captioned>`: captions on a video. `<translated>`: captions in another language.
 */
export function markWork(text: string): string {
  return [
    ...(splitPoint.test(text) ? ['<split>'] : []),
    ...(equalPartsIn(text) ? ['<parts>'] : []),
    ...(ownPictures.test(text) ? ['<pictures>'] : []),
    ...(ownMedia.test(text) ? ['<library>'] : []),
    ...(loudnessIn(text) === undefined ? [] : ['<loudness>']),
    ...(captioned.test(text) ? ['<captioned>'] : []),
    ...(translated.test(text) ? ['<translated>'] : []),
    text,
  ].join(' ')
}
