const words = `
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
export const stopWords: ReadonlySet<string> = new Set(words.trim().split(/\s+/))
