import { asksForOtherFormat, formatIn } from './formats.ts'
import { equalPartsIn } from './goal-lengths.ts'
import { otherLanguages } from './languages.ts'
import { changesByAmount, loudnessChangeIn, loudnessIn, namesLoudnessStandard } from './loudness.ts'
import { asksForOtherShape, asksForWidth, heightIn } from './shapes.ts'
import { manyFillers, manySilences } from './words.ts'

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
const media = '(?:files|videos|recordings|episodes|podcasts|uploads|films|talks|interviews|lectures|meetings|calls)'
/** "I have 40 recordings", "in each of the videos", and not "make 3 videos". */
const severalMedia = new RegExp(
  String.raw`\b(?:have|got|across|through|in|from|over) (?:all )?(?:(?:these|those|my|our|the) )?(?:about |over )?(?:\d{1,5}|several|many|dozens of|hundreds of|a lot of|lots of) (?:[a-z]+ )?${media}\b` +
    String.raw`|\b(?:all(?: of)?|each of|every one of) (?:the|these|those|my|our) (?:[a-z0-9]+ )?${media}\b`,
)

/** Whether the goal is about several media of the user. */
export function namesSeveralMedia(text: string): boolean {
  return severalMedia.test(text)
}

const captions = '(?:captions?|subtitles?)'
const picture =
  '(?:videos?|films?|movies?|footage|clips?|reels?|shorts?|recordings?|episodes?|pictures?|screen|it|them)'
/** "Put subtitles on my video", "caption my video", "my video with subtitles". */
const captioned = new RegExp(
  String.raw`\b(?:put|add|burn|overlay|place|draw)\b[^.,;]{0,40}?\b${captions}\b[^.,;]{0,40}?\b(?:on|onto|to|into|in|over) (?:[a-z-]+ ){0,4}?${picture}\b` +
    String.raw`|\b(?:show|put|display) (?:the |my |their |spoken )?(?:words|speech|dialogue|what (?:is|was|they|he|she|we|i) [a-z]+) (?:[a-z]+ ){0,3}?on(?:to)? (?:the )?(?:screen|video|picture)\b` +
    String.raw`|\b${captions} (?:bigger|larger|boxed)\b|\b(?:bigger|larger|boxed) ${captions}\b` +
    String.raw`|\b(?:caption|subtitle) (?:my|our|this|the|an?) (?:[a-z-]+ ){0,2}?${picture}\b` +
    String.raw`|\b(?:videos?|films?|movies?|footage) with (?:[a-z-]+ ){0,3}?${captions}\b`,
)
/** "Make it smaller", and not "make the captions smaller". */
const smaller = new RegExp(
  String.raw`\b(?:compress|shrink|bitrate|file ?size|(?:smaller|lighter) (?:files?|videos?|size|version|copy)|(?:it|this|that|files?|${picture}|recordings?|podcasts?|audio|mp3|mp4) (?:to be |is |be )?(?:(?:a )?(?:lot|bit|much) )?smaller)\b` +
    String.raw`|\b(?:compress|shrink)(?:ed|ing)\b|\btoo (?:big|large|heavy)\b|\b(?:lower|reduce) (?:the |its )?quality\b`,
)
const factQuestion = /^\W*(?:what|is|are|does|which|how (?:big|large|many|much))\b/
const bytes = /\b\d+(?:\.\d+)? ?(?:[kmg]b|(?:kilo|mega|giga)bytes?)\b|\bmegabytes?\b/
const priceQuestion =
  /^\W*(?:(?:what(?: is|['’]s)|estimate|tell me|show me) )?(?:the )?(?:estimated )?(?:cost|price)s? (?:to|of|for)\b/
/** "$5", "5 dollars". */
const amountOfMoney = /[$] ?\d|\b(?:usd|us[$]) ?\d|\d ?(?:[$]|usd\b|dollars?\b|bucks?\b)/
const language = `(?:${otherLanguages.map((name) => name.replace(/^in /, '').trim()).join('|')})`
/** Captions in another language, and not captions of what is said in it. */
const translated = new RegExp(
  String.raw`\b${language} ${captions}\b|\b${captions}\b[^.,;]{0,40}?\b(?:in|into) ${language}\b`,
)

/** What is found in a window. A single joke or mistake is the window itself. */
const found = [
  ...[...manySilences, ...manyFillers].map((word) => word.trim()),
  ...['laughs', 'laughter', 'jokes', 'swearing', 'swear words', 'curse words', 'applause', 'quotes', 'slides'],
  ...['frames?', 'screenshots?', 'stills?', 'photos?', 'pictures?', 'images?', 'thumbnails?'],
].join('|')
/** Words between what is found and its window, and none of another work. */
const between = String.raw`(?:(?!\b(?:and|then|but|without|clips?|parts?|videos?|moments?)\b)[^.,;<]){0,40}?`
/** "The silences in the first 5 minutes", and not "the first 5 minutes without the silences". */
const within = new RegExp(
  String.raw`\b(?:in|within|during|inside|throughout|over)(?: the| my)? {1,3}<window>` +
    String.raw`|\b(?:${found})\b${between} {1,3}<window>`,
)

/** Each mark, with what it stands for. */
const marks: Readonly<Record<string, (text: string) => boolean>> = {
  // A cut at a time.
  '<split>': (text) => splitPoint.test(text),
  // Equal parts.
  '<parts>': (text) => equalPartsIn(text) !== undefined,
  // Work on what lies in a window, and not a clip of the window.
  '<within>': (text) => within.test(text),
  // Pictures of the user.
  '<pictures>': (text) => ownPictures.test(text),
  // All media of the user.
  '<library>': (text) => ownMedia.test(text),
  // A loudness in LUFS.
  '<loudness>': (text) => loudnessIn(text) !== undefined,
  // A standard of loudness.
  '<standard>': namesLoudnessStandard,
  '<louder>': (text) => loudnessChangeIn(text) === 'louder',
  '<quieter>': (text) => loudnessChangeIn(text) === 'quieter',
  // Louder or quieter by an amount.
  '<by-amount>': changesByAmount,
  // The format of a file, and one that no clip has.
  '<format>': (text) => formatIn(text) !== undefined,
  '<other-format>': asksForOtherFormat,
  // A question about a price.
  '<price>': (text) => priceQuestion.test(text),
  // An amount of money.
  '<amount>': (text) => amountOfMoney.test(text),
  // A file of fewer bytes.
  '<smaller>': (text) => !factQuestion.test(text) && (smaller.test(text) || bytes.test(text)),
  // A size in pixels, and a shape that no clip has.
  '<size>': (text) => heightIn(text) !== undefined,
  '<width>': asksForWidth,
  '<other-shape>': asksForOtherShape,
  // Captions on a video, and captions in another language.
  '<captioned>': (text) => captioned.test(text),
  '<translated>': (text) => translated.test(text),
}

/** The text after the marks for the work that it names. */
export function markWork(text: string): string {
  const named = Object.entries(marks).filter(([, isNamed]) => isNamed(text))
  return [...named.map(([mark]) => mark), text].join(' ')
}
