// Several files that a goal joins, and not the parts of one.

const joins = '(?:join|merg|combin|concat|append|stitch|glu|splic)[a-z]*'
const media = '(?:videos?|films?|movies?|recordings?|episodes?|songs?|audio|files?|mp[34]s?|movs?|wavs?|podcasts?)'
const several = String.raw`(?:(?:these|those|both|several|multiple|many|all|my|our|the|of|\d{1,3}) )+`
/** "These 2 videos", "the 2 halves of my talk", "both clips". Clips can also be what is found. */
const named = String.raw`${several}(?:[a-z]+ ){0,2}?(?:${media.replaceAll('s?', 's')}|halves)\b|(?:(?:these|those|both) (?:2 )?|2 )(?:[a-z]+ )?(?:clips|parts)\b`
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

/** The text with a mark in place of the files that the goal joins. */
export function markFiles(text: string): string {
  return text.replaceAll(joined, '$1$2 <files> ')
}
