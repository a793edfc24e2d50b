import type { NotOffered } from './not-made.ts'

/** What people expect media services to find or tell, and what no endpoint does. */
export const notFound: readonly NotOffered[] = [
  {
    what: 'recognizes people',
    goals: [
      [
        [
          ...['diari', 'by speaker', 'each speaker', 'per speaker', 'which speaker', 'speaker change'],
          ...['detect speaker', 'detect the speaker', 'find the speaker', 'speaker detect', 'speaker recogni'],
          ...['who is speak', "who's speak", 'who speak', 'who spoke', 'who is talk', "who's talk", 'who talk'],
        ],
      ],
      [
        ['face', 'facial'],
        ['recogni', 'identify', 'whose', 'search', 'match'],
      ],
      [
        ['identify', 'label', 'separate', 'recogni'],
        ['speaker', 'people', 'person', 'voice'],
      ],
    ],
  },
  {
    what: 'finds scenes, music, advertisements, people or things',
    goals: [
      [
        ['find', 'detect', 'where', 'when', 'list', 'cut', 'split'],
        [
          'scene',
          'shot change',
          'shot bound',
          'the music',
          'music play',
          'gunshot',
          'face ',
          'faces ',
          'people',
          'a car ',
          'a dog',
          'a cat',
          'animal',
        ],
      ],
      [
        ['remove', 'cut', 'skip', 'find', 'delete', 'where', 'without', 'detect'],
        ['intro ', 'outro', 'advert', 'ads ', 'ad break', 'commercial', 'sponsor', 'credits'],
      ],
    ],
    unless: ['<window>', '<time>', 'spent', 'left', 'text', 'say', 'said', 'talk', 'laugh'],
    instead:
      'Endpoints find words, topics, laughter, silence, loud moments and text on the screen. If the user knows the times, video/clip-window keeps or removes them.',
  },
  {
    what: 'summarizes or judges what is said, or writes about it',
    goals: [
      [['summar', 'sentiment', 'emotion', 'mood', 'fact-check', 'show notes', 'blog post', 'key takeaway']],
      [
        ['write', 'draft'],
        ['post ', 'article', 'notes', 'description', 'newsletter', 'title', 'caption for'],
      ],
    ],
    instead: 'audio/find-words returns the transcript, and audio/semantic-chunks its topics.',
  },
  {
    what: 'tells which language is spoken',
    goals: [[['which', 'what', 'identify', 'detect', 'recogni'], ['language']]],
  },
  {
    what: 'reports the codecs, the resolution or the frame rate of media',
    goals: [
      [
        ['what', 'which', 'tell', 'show', 'get', 'find'],
        ['resolution', 'codec', 'frame rate', 'framerate', 'what format', 'which format', 'metadata'],
      ],
    ],
  },
  {
    what: 'judges which moments are the best',
    goals: [
      [
        ['best', 'interesting', 'viral', 'engaging', 'exciting', 'most important'],
        ['moment', 'part', 'highlight', 'clip', 'bit'],
      ],
    ],
  },
]
