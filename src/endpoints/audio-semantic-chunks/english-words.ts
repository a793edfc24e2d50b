const stopText = `
a about above across actually after again against ago ah all almost along already also although always am among an and another any anyone
anything are around as ask at away back basically be became because become been before began behind being below between both bring but by
call came can cannot come could day days did different do does doing done don down during each either else enough even ever every everyone
everything exactly far few find first for from further gave get gets getting give given go goes going gone gonna good got great guess had
has have having he hear help her here hers herself hey hi him himself his how however i if in indeed into is it its itself just keep kind
knew know known large last later least less let lets like little long look looking lot made make makes making many may maybe me mean means
might mine more most much must my myself near need never new next no none nor not nothing now of off often oh ok okay old on once one ones
only onto or other others our ours ourselves out over own part people perhaps place please point put quite rather really right said same
saw say saying says see seem seen several she should show side since small so some someone something sometimes soon sort still stuff such
sure take taken tell than thank thanks that the their theirs them themselves then there therefore these they thing things think this those
though thought three through time times to today together told too took toward try two uh um under until up upon us use used using usually
very wanna want wants was way ways we well went were what whatever when where whether which while who whole whom whose why will with within
without would yeah year years yes yet you your yours yourself yourselves`

/** English words that say nothing about a topic. */
const stopWords: ReadonlySet<string> = new Set(stopText.trim().split(/\s+/))

const weakText = `
actual addition aforementioned amount answer applause available bad beginning best big bigger bit brief bunch case cases certain chance chunk common
complete correct couple course current details difference different difficult easier easy end ending entire example examples exact extra fact fine
following full fun funny general giant glad good great guy guys half half-hour hand happy hard hope hour hours huge hundred hundreds idea ideas
important interested interesting issue issues job kinda kinds known latter life list lots main manner maximum million millions minute minutes moment month months
morning multiple name names nice nicer normal number numbers obvious odd okay option options order own pair particular past percent person
piece pieces plenty possible presentation presenter previous pretty problem problems proper quarter question questions random ready reason reasons recent
regard regular rest result results round rough same self-contained sense separate serious set similar simple single situation slide slides sorry speaker
special specific stage start state step steps story stuff subject suitable super talk talks terms theme thousand thousands title ton tons
top topic topics total type types typical understanding useful usual various version versions wait week weeks welcome weird whatever whole word words
work worry worse worst wow wrong whoops called named putting taking trying giving afternoon evening today tonight tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday`

/** Nouns and adjectives that a title can do without: alone, they could be of any talk. */
const weakWords: ReadonlySet<string> = new Set(weakText.trim().split(/\s+/))

/** In small letters. */
export function isStopWord(word: string): boolean {
  return stopWords.has(word)
}

/** In small letters. */
export function isWeakWord(word: string): boolean {
  return weakWords.has(word) || stopWords.has(word)
}
