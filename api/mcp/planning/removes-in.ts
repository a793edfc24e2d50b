import { removalWords } from '../../../src/goals/words.ts'

const verbs = removalWords.map((word) => word.trim()).join('|')
/** "Do not remove" takes nothing out; "cut out a clip" keeps the clip. */
const removing =
  String.raw`(?<!\b(?:not|never|[a-z]+n['’]t) )\b(?:${verbs}|off)\b` +
  String.raw`(?! an? (?:[a-z]+ ){0,2}?(?:clip|snippet|excerpt|short|teaser)\b)`
/** "Without cutting words" and "without captions" say how a clip is made. */
const without = String.raw`\bwithout\b(?! [a-z-]+ing\b)(?! (?:the |any |its )?(?:sound|audio|music|captions?|subtitles?|picture|watermark|loss|quality)\b)`
/** What belongs to a verb. */
const clause = String.raw`(?:(?!\b(?:and|then|but)\b)[^.;]){0,80}?`
const it = '(?:it|that|this|them|the (?:part|section|bit)|that (?:part|section|bit))'

const removesWindow = new RegExp(
  [
    `(?:${removing}|${without})${clause}<window>`,
    String.raw`<window>[^.,;]{0,40}? (?:off|out)\b(?! of\b)`,
    `<window>[^.;]{0,20}?${removing} ${it}`,
    String.raw`\b(?:do not|don['’]t) (?:want|need|keep)(?: the)? {1,3}<window>`,
    String.raw`\b(?:cut|trim)(?: out)?(?: the| my)? (?:intro|outro|ads?|adverts?|sponsors?|credits|small talk|dead air)\b${clause}<window>`,
    String.raw`\b(?:cut|trim|chop) (?:everything|all|anything)(?: that is)? {1,3}<window>`,
    String.raw`\b(?:cut|trim)(?: the)? {1,3}<window> {1,3}of (?:silence|quiet|nothing|dead (?:air|space))\b`,
  ].join('|'),
)
const removesOther = new RegExp(
  [removing, without, String.raw`\b(?:take|leave) [^.,;]{1,60}? out\b|\bcut [^.,;]{1,60}? out\b(?! of\b)`].join('|'),
)
const exception = /\b(everything|all|anything|rest)\b.{0,20}\b(except|but|besides|apart from|outside)\b/

/** Whether the goal takes the parts that it names out of the media, and does not keep them. */
export function removesIn(text: string): boolean {
  return (text.includes('<window>') ? removesWindow : removesOther).test(text) && !exception.test(text)
}
