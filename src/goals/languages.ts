// Languages that are not transcribed, as goals in words name them.

/** "Polish" is also a verb. */
export const otherLanguages = [
  ...['spanish', 'french', 'german', 'italian', 'portuguese', 'dutch', 'swedish', 'norwegian', 'danish', 'finnish'],
  ...['russian', 'ukrainian', 'czech', 'in polish', 'hungarian', 'romanian', 'greek', 'turkish', 'arabic', 'hebrew'],
  ...[
    'persian',
    'farsi',
    'hindi',
    'urdu',
    'bengali',
    'tamil',
    'thai ',
    'vietnamese',
    'indonesian',
    'malay ',
    'tagalog',
  ],
  ...['swahili', 'korean', 'japanese', 'chinese', 'mandarin', 'cantonese', 'catalan', 'non-english', 'not in english'],
  ...['other language', 'another language', 'foreign language'],
]
