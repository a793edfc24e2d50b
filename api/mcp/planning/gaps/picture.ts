import { clipAspects } from '../../../../src/core/picture.ts'
import { shapeWords } from '../../../../src/goals/shapes.ts'
import { type Gap, goalOf, listed } from './gap.ts'

const shapes = clipAspects.filter((aspect) => aspect !== 'source').join(', ')

export const pictureGaps: readonly Gap[] = [
  {
    what: 'retouches or enlarges the picture',
    goals: [
      goalOf('upscale, rotat, flip, mirror, stabili, shaky, colour, color, bright, sharpen, watermark, logo'),
      goalOf('black and white, grayscale, greyscale, green screen, black bar'),
      goalOf('blur, pixelat, redact, black out', 'face, plate, people, person, screen'),
      goalOf('remove, replace, change', 'background of, my background, background behind'),
      goalOf(
        'remove the caption, remove the subtitle, remove caption, remove subtitle, hide the subtitle, hide the caption',
      ),
      goalOf('zoom', 'in , out , on , into'),
    ],
  },
  {
    what: 'retouches or enlarges the picture',
    goals: [goalOf('blur', 'background')],
    unless: shapeWords,
  },
  {
    what: 'gives the picture this shape',
    goals: [goalOf('<other-shape>')],
    asks: listed('crop, resiz, convert, reframe, aspect, <size>'),
    instead: `settings.aspect of a clip takes ${shapes}, and settings.height its height in pixels.`,
  },
  {
    what: 'sets the width of the picture',
    goals: [goalOf('<width>')],
    asks: listed('resiz, convert, <size>'),
    instead: 'settings.height of a clip sets its height, and the width follows.',
  },
  {
    what: 'changes the speed or the frame rate',
    goals: [
      goalOf('slow motion, slow down, slow it, speed up, speed it, speed the, faster, as fast, revers, half speed'),
      goalOf(
        'double speed, playback speed, time-lapse, timelapse, loop it, loop the, backward, frame rate, framerate, fps ',
      ),
    ],
    unless: ['what', 'which'],
  },
  {
    what: 'adds titles, pictures or other media',
    goals: [
      goalOf(
        'add, insert, overlay, put, attach, with an',
        'intro, outro, title, image, graphic, overlay, banner, lower third, emoji, sticker, progress bar, timer, countdown',
      ),
      goalOf('picture in picture, picture-in-picture, split screen, split-screen, side by side, b-roll'),
      goalOf('transition, fade in, fade out, fade to, audiogram'),
    ],
    instead: 'settings.captions of a clip burns captions into its picture.',
  },
  {
    what: 'chooses the colour, the font or the position of captions',
    goals: [
      goalOf(
        'caption, subtitle',
        'yellow, red , blue , green , white , black , font, bold, italic, at the top, position, smaller',
      ),
    ],
    instead: 'settings.captions.style of a clip makes them large, or boxed.',
    isDetail: true,
  },
  {
    what: 'writes PNG pictures',
    goals: [goalOf('png')],
    instead: 'The files of frames are JPEGs.',
    isDetail: true,
  },
]
