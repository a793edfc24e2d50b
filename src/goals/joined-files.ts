// Several files that a goal joins, and not the parts of one.

const joins = '(?:join|merg|combin|concat|append|stitch|glu|splic)[a-z]*'
const media = '(?:videos?|films?|movies?|recordings?|episodes?|songs?|audio|files?|mp[34]s?|movs?|wavs?|podcasts?)'
const several = String.raw`(?:(?:these|those|both|several|multiple|many|all|my|our|the|of|\d{1,3}) )+`
/** "These 2 videos", "the 2 halves of my talk", "all my videos". */
const named = String.raw`${several}(?:[a-z]+ ){0,2}?(?:${media.replaceAll('s?', 's')}|halves)\b`
const besides = String.raw`,? (?:and|with|to|onto|\+|&) `
const halves = `first half${besides}(?:the |my )?(?:second|other|last) half`
/** "Video a and video b", "part 1 and 2", "intro.mp4 and talk.mp4". */
const numbered = String.raw`(?:${media}|clip|part) (?:a|1|one)${besides}(?:(?:${media}|clip|part) )?(?:b|2|two)\b|\S+\.[a-z0-9]{3,4}(?:,|${besides})[^.;]{0,40}?\S+\.[a-z0-9]{3,4}\b`
const files = `(?:the |my |our )?(?:${halves}|${numbered}|${named})`

const joined = new RegExp(
  String.raw`\b(${joins}) (?:(?:together|up) )?${files}` +
    String.raw`|\b((?:one|1|a single|single) ${media} (?:out of|from|of)) ${files}`,
  'g',
)

const clips = String.raw`(?:(?:these|those|both) (?:2 )?|2 )(?:[a-z]+ )?(?:clips|parts)\b`
/** "Join these 2 clips", in a goal without times: others join what they cut. */
const joinedClips = new RegExp(
  String.raw`\b(${joins}|(?:one|1|a single|single) ${media} (?:out of|from|of)) (?:${clips})`,
  'g',
)

/** The text with a mark in place of the files that the goal joins. */
export function markFiles(text: string): string {
  const marked = text.replaceAll(joined, '$1$2 <files> ')
  return /\d:\d\d/.test(text) ? marked : marked.replaceAll(joinedClips, '$1 <files> ')
}
