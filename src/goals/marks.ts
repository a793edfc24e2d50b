import { equalPartsIn } from './goal-lengths.ts'

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

/** `<split>`: a cut at a time. `<parts>`: equal parts. `<pictures>`: pictures of the user. `<library>`: all media of the user. */
export function markWork(text: string): string {
  return [
    ...(splitPoint.test(text) ? ['<split>'] : []),
    ...(equalPartsIn(text) ? ['<parts>'] : []),
    ...(ownPictures.test(text) ? ['<pictures>'] : []),
    ...(ownMedia.test(text) ? ['<library>'] : []),
    text,
  ].join(' ')
}
