// Made from the declarations of the service: `npx vitest run test/clients -u` makes it again.

/** A setting of a command: `text` is for its help. `isText`: its value is never JSON. `list`: a list that needs no JSON. `choices`: all that it takes. `steps`: the endpoints of a chain that have it. */
export interface SettingRow {
  readonly text: string
  readonly isText?: true
  readonly isSwitch?: true
  readonly list?: "texts" | "ranges"
  readonly choices?: readonly string[]
  readonly steps?: readonly string[]
}

export interface CommandRow {
  readonly summary: string
  readonly settings: Readonly<Record<string, SettingRow>>
}

export const endpointCommands: Readonly<Record<string, CommandRow>> = {
  "video/clip-window": {
    "summary": "Cut the window from start to end, or several ranges, into a clip, exact to the frame.",
    "settings": {
      "ranges": {
        "text": "Several ranges instead of start and end. Segments from other endpoints can be sent unchanged. Such as 0:05-0:10,62-70.",
        "list": "ranges"
      },
      "format": {
        "text": "The clip's container. When left out, the source's; mp4 for mkv and for ogg with a picture, and m4a for mka and amr.",
        "isText": true,
        "choices": [
          "mp4",
          "mov",
          "webm",
          "m4v",
          "mp3",
          "wav",
          "m4a",
          "aac",
          "ogg",
          "opus",
          "flac",
          "aiff"
        ]
      },
      "aspect": {
        "text": "The shape of the picture, 1080 pixels on its shorter side unless height is given: 9:16 for vertical video, 1:1 and 4:5 for feeds, 16:9 for players. Default: \"source\".",
        "isText": true,
        "choices": [
          "source",
          "9:16",
          "1:1",
          "4:5",
          "16:9"
        ]
      },
      "height": {
        "text": "Pixels from top to bottom. A picture is not enlarged further than aspect does."
      },
      "quality": {
        "text": "Default: \"balanced\".",
        "isText": true,
        "choices": [
          "high",
          "balanced",
          "fast"
        ]
      },
      "captions": {
        "text": "Captions, which keep their place where ranges were removed: of a transcript, or SubRip or WebVTT."
      },
      "brand": {
        "text": "The id of a brand: its logo, and its font, colours and margins for burnt captions.",
        "isText": true
      },
      "loudness": {
        "text": "The integrated loudness of each file, in LUFS (EBU R 128): -16 for podcasts, -14 for most video sites, -23 for broadcast. A limiter keeps peaks at or below -1 dBTP. keep: as in the source. Takes keep or a number. Default: \"keep\"."
      },
      "audio_only": {
        "text": "Leave out the picture. Default: false.",
        "isSwitch": true
      },
      "fit": {
        "text": "How the picture gets the shape of aspect. crop: a part of it, which follows faces where the service can find them. pad: all of it between black bars. blur: all of it in front of a blurred copy. Default: \"crop\".",
        "isText": true,
        "choices": [
          "crop",
          "pad",
          "blur"
        ]
      },
      "focus": {
        "text": "What a crop keeps inside, or a point as shares of width and height; the centre where there is nothing of the kind. text: lines on the screen. Takes faces, motion, text or a JSON object. Default: \"faces\"."
      },
      "focus_points": {
        "text": "Points that a crop keeps to instead, from start to end in seconds of the media."
      },
      "mode": {
        "text": "exact: encoded, starts and ends exactly on the frame. Default: \"exact\".",
        "isText": true,
        "choices": [
          "exact",
          "smart",
          "copy"
        ]
      },
      "deinterlace": {
        "text": "Makes one progressive picture of the two fields of each interlaced frame (bwdif). false: H.264 keeps both fields; other codecs, shapes and sizes are deinterlaced in any case. Default: false.",
        "isSwitch": true
      },
      "audio_fade_ms": {
        "text": "Length of the fade at both ends and of the crossfade at joints, which prevent clicks. Default: 5."
      },
      "ranges_mode": {
        "text": "remove: the clip is the media without the ranges. Default: \"keep\".",
        "isText": true,
        "choices": [
          "keep",
          "remove"
        ]
      },
      "join": {
        "text": "true: one file, in the order of the source. false: one file for each range, in the order of the ranges, and at most 100 of them. Default: true.",
        "isSwitch": true
      }
    }
  },
  "video/clip-near": {
    "summary": "Cut a clip around a moment, with edges at quiet points and pauses, so that no word is cut.",
    "settings": {
      "before_seconds": {
        "text": "Default: 5."
      },
      "after_seconds": {
        "text": "Default: 5."
      },
      "moments": {
        "text": "Several moments instead of start: one clip each."
      },
      "join": {
        "text": "Puts the clips of several moments into one file, in the order of time. A stretch that several clips share is in the file once. Default: false.",
        "isSwitch": true
      },
      "snap": {
        "text": "What each edge looks for, at most 2 seconds from its position. The maximum price counts these seconds; the final price is for the length of the clip. Default: \"silence\".",
        "isText": true,
        "choices": [
          "silence",
          "keyframe",
          "none"
        ]
      },
      "format": {
        "text": "The clip's container. When left out, the source's; mp4 for mkv and for ogg with a picture, and m4a for mka and amr.",
        "isText": true,
        "choices": [
          "mp4",
          "mov",
          "webm",
          "m4v",
          "mp3",
          "wav",
          "m4a",
          "aac",
          "ogg",
          "opus",
          "flac",
          "aiff"
        ]
      },
      "aspect": {
        "text": "The shape of the picture, 1080 pixels on its shorter side unless height is given: 9:16 for vertical video, 1:1 and 4:5 for feeds, 16:9 for players. Default: \"source\".",
        "isText": true,
        "choices": [
          "source",
          "9:16",
          "1:1",
          "4:5",
          "16:9"
        ]
      },
      "height": {
        "text": "Pixels from top to bottom. A picture is not enlarged further than aspect does."
      },
      "quality": {
        "text": "Default: \"balanced\".",
        "isText": true,
        "choices": [
          "high",
          "balanced",
          "fast"
        ]
      },
      "captions": {
        "text": "Captions, which keep their place where ranges were removed: of a transcript, or SubRip or WebVTT."
      },
      "brand": {
        "text": "The id of a brand: its logo, and its font, colours and margins for burnt captions.",
        "isText": true
      },
      "loudness": {
        "text": "The integrated loudness of each file, in LUFS (EBU R 128): -16 for podcasts, -14 for most video sites, -23 for broadcast. A limiter keeps peaks at or below -1 dBTP. keep: as in the source. Takes keep or a number. Default: \"keep\"."
      },
      "audio_only": {
        "text": "Leave out the picture. Default: false.",
        "isSwitch": true
      },
      "fit": {
        "text": "How the picture gets the shape of aspect. crop: a part of it, which follows faces where the service can find them. pad: all of it between black bars. blur: all of it in front of a blurred copy. Default: \"crop\".",
        "isText": true,
        "choices": [
          "crop",
          "pad",
          "blur"
        ]
      },
      "focus": {
        "text": "What a crop keeps inside, or a point as shares of width and height; the centre where there is nothing of the kind. text: lines on the screen. Takes faces, motion, text or a JSON object. Default: \"faces\"."
      },
      "focus_points": {
        "text": "Points that a crop keeps to instead, from start to end in seconds of the media."
      },
      "mode": {
        "text": "exact: encoded, starts and ends exactly on the frame. Default: \"exact\".",
        "isText": true,
        "choices": [
          "exact",
          "smart",
          "copy"
        ]
      },
      "deinterlace": {
        "text": "Makes one progressive picture of the two fields of each interlaced frame (bwdif). false: H.264 keeps both fields; other codecs, shapes and sizes are deinterlaced in any case. Default: false.",
        "isSwitch": true
      },
      "audio_fade_ms": {
        "text": "Length of the fade at both ends and of the crossfade at joints, which prevent clicks. Default: 5."
      },
      "quiet_threshold": {
        "text": "-90 to 0: a level in dBFS. Above 0, up to 1: a linear amplitude. Default: -35."
      },
      "min_segment_seconds": {
        "text": "Snapping never makes a clip shorter than this. Default: 0.3."
      }
    }
  },
  "audio/detect-silence": {
    "summary": "Find the silences, and the sounding segments between them.",
    "settings": {
      "threshold": {
        "text": "A level in dBFS from -90 to 0, or a linear amplitude above 0 up to 1. Takes a number or auto. Default: -35."
      },
      "min_silence_seconds": {
        "text": "Default: 0.5."
      },
      "min_segment_seconds": {
        "text": "segments[] leaves out sounding segments shorter than this. Default: 0.1."
      },
      "padding_seconds": {
        "text": "Extends every sounding segment on both sides. Default: 0."
      },
      "audio_track": {
        "text": "The default track, the track with this index, or all tracks combined. Takes default, all or a number. Default: \"default\"."
      }
    }
  },
  "audio/detect-energy": {
    "summary": "Find the loud segments and their levels.",
    "settings": {
      "threshold": {
        "text": "A window of at least this level starts a segment. Default: -20."
      },
      "quiet_threshold": {
        "text": "A window below this level ends the segment. At most threshold. Default: -35."
      },
      "min_segment_seconds": {
        "text": "Default: 0.3."
      },
      "top": {
        "text": "Only this many segments: the loudest by mean_db, in the order of time."
      },
      "window_seconds": {
        "text": "Default: 0.1."
      },
      "audio_track": {
        "text": "The default track, the track with this index, or all tracks combined. Takes default, all or a number. Default: \"default\"."
      }
    }
  },
  "audio/detect-laughter": {
    "summary": "Find laughter, with a score for each segment.",
    "settings": {
      "threshold": {
        "text": "A segment has at least this score somewhere. 0.5 finds only what is clearly laughter. Default: 0.25."
      },
      "min_segment_seconds": {
        "text": "Default: 0.3."
      },
      "audio_track": {
        "text": "The default track, or the track with this index. Takes default or a number. Default: \"default\"."
      }
    }
  },
  "audio/find-words": {
    "summary": "Find where words and phrases are spoken, and transcribe speech.",
    "settings": {
      "queries": {
        "text": "Words or phrases to find. Without any, the result is the transcript. With commas between.",
        "list": "texts"
      },
      "match": {
        "text": "exact: the same words; case, accents and punctuation do not count. stem: also other endings, such as run and running. fuzzy: also words with a letter or two that differ. Default: \"exact\".",
        "isText": true,
        "choices": [
          "exact",
          "stem",
          "fuzzy"
        ]
      },
      "min_confidence": {
        "text": "Leaves out words of less confidence. In sound that is hardly speech, words below 0.5 may be invented. Default: 0.3."
      },
      "audio_track": {
        "text": "The default track, or the track with this index. Takes default or a number. Default: \"default\"."
      },
      "language": {
        "text": "English only. Default: \"en\".",
        "isText": true,
        "choices": [
          "en"
        ]
      }
    }
  },
  "audio/semantic-chunks": {
    "summary": "Split speech into chunks by topic, each with a title and keywords.",
    "settings": {
      "target_seconds": {
        "text": "Also cuts chunks that are longer than this, at their clearest change of subject. When left out, a chunk can be of any length."
      },
      "min_seconds": {
        "text": "No cut makes a shorter chunk. Default: 10."
      },
      "min_chapters": {
        "text": "Also cuts at the clearest changes of subject until there are this many chunks. A warning says if there are fewer. YouTube shows 3 or more."
      },
      "max_chapters": {
        "text": "Cuts only at the clearest changes of subject."
      },
      "text_job_id": {
        "text": "A completed job of video/text-frames on this media: a chunk gets the title of the slide that is shown longest in it, where there is one.",
        "isText": true
      },
      "audio_track": {
        "text": "The default track, or the track with this index. Takes default or a number. Default: \"default\"."
      }
    }
  },
  "video/best-frames": {
    "summary": "Pick sharp, well exposed frames from different shots.",
    "settings": {
      "count": {
        "text": "The most frames to return. Default: 5."
      }
    }
  },
  "video/thumbnail-score": {
    "summary": "Rank frames as thumbnails, and crop them around what people look at.",
    "settings": {
      "job_id": {
        "text": "A completed job of video/best-frames on this media, whose frames are scored.",
        "isText": true
      },
      "times": {
        "text": "Instead of job_id, or of start for a single frame: moments, at each of which the frame shown is scored."
      },
      "upload_ids": {
        "text": "Instead of media_url: uploads of JPEG, PNG or WebP pictures, of at most 32 MiB each, which are scored. With commas between.",
        "list": "texts"
      },
      "crops": {
        "text": "The shapes to which each frame is cropped. Without any, no file is made. With commas between. Default: [\"16:9\",\"9:16\",\"1:1\"].",
        "list": "texts"
      }
    }
  },
  "video/text-frames": {
    "summary": "Find when text is on the screen, and read it.",
    "settings": {
      "queries": {
        "text": "Words or phrases to find. A phrase is found within a line. Without any, the result is all text. With commas between.",
        "list": "texts"
      },
      "match": {
        "text": "exact: the same words; case, accents and punctuation do not count. stem: also other endings, such as run and running. fuzzy: also words with a letter or two that differ. Default: \"exact\".",
        "isText": true,
        "choices": [
          "exact",
          "stem",
          "fuzzy"
        ]
      },
      "min_confidence": {
        "text": "Leaves out lines of less confidence. None has less than 0.5. Default: 0.6."
      },
      "region": {
        "text": "Leaves out lines whose middle is outside. Such as { \"x\": 0, \"y\": 0.75, \"width\": 1, \"height\": 0.25 } for subtitles. Default: {\"x\":0,\"y\":0,\"width\":1,\"height\":1}."
      }
    }
  }
}

export const chainCommands: Readonly<Record<string, CommandRow>> = {
  "find-funny-clips": {
    "summary": "Find laughter. Only if there is any, find the silences, and cut one clip around each laugh that begins and ends in silence. A laugh inside an earlier clip gets none.",
    "settings": {
      "threshold": {
        "text": "A segment has at least this score somewhere. 0.5 finds only what is clearly laughter. Default: 0.25.",
        "steps": [
          "audio/detect-laughter",
          "audio/detect-silence"
        ]
      },
      "min_segment_seconds": {
        "text": "Default: 0.3.",
        "steps": [
          "audio/detect-laughter",
          "audio/detect-silence",
          "video/clip-near"
        ]
      },
      "audio_track": {
        "text": "The default track, or the track with this index. Takes default or a number. Default: \"default\".",
        "steps": [
          "audio/detect-laughter",
          "audio/detect-silence"
        ]
      },
      "min_silence_seconds": {
        "text": "Default: 0.5.",
        "steps": [
          "audio/detect-silence"
        ]
      },
      "padding_seconds": {
        "text": "Extends every sounding segment on both sides. Default: 0.",
        "steps": [
          "audio/detect-silence"
        ]
      },
      "before_seconds": {
        "text": "Default: 5.",
        "steps": [
          "video/clip-near"
        ]
      },
      "after_seconds": {
        "text": "Default: 5.",
        "steps": [
          "video/clip-near"
        ]
      },
      "join": {
        "text": "Puts the clips of several moments into one file, in the order of time. A stretch that several clips share is in the file once. Default: false.",
        "isSwitch": true,
        "steps": [
          "video/clip-near"
        ]
      },
      "snap": {
        "text": "What each edge looks for, at most 2 seconds from its position. The maximum price counts these seconds; the final price is for the length of the clip. Default: \"silence\".",
        "isText": true,
        "choices": [
          "silence",
          "keyframe",
          "none"
        ],
        "steps": [
          "video/clip-near"
        ]
      },
      "format": {
        "text": "The clip's container. When left out, the source's; mp4 for mkv and for ogg with a picture, and m4a for mka and amr.",
        "isText": true,
        "choices": [
          "mp4",
          "mov",
          "webm",
          "m4v",
          "mp3",
          "wav",
          "m4a",
          "aac",
          "ogg",
          "opus",
          "flac",
          "aiff"
        ],
        "steps": [
          "video/clip-near"
        ]
      },
      "aspect": {
        "text": "The shape of the picture, 1080 pixels on its shorter side unless height is given: 9:16 for vertical video, 1:1 and 4:5 for feeds, 16:9 for players. Default: \"source\".",
        "isText": true,
        "choices": [
          "source",
          "9:16",
          "1:1",
          "4:5",
          "16:9"
        ],
        "steps": [
          "video/clip-near"
        ]
      },
      "height": {
        "text": "Pixels from top to bottom. A picture is not enlarged further than aspect does.",
        "steps": [
          "video/clip-near"
        ]
      },
      "quality": {
        "text": "Default: \"balanced\".",
        "isText": true,
        "choices": [
          "high",
          "balanced",
          "fast"
        ],
        "steps": [
          "video/clip-near"
        ]
      },
      "captions": {
        "text": "Captions, which keep their place where ranges were removed: of a transcript, or SubRip or WebVTT.",
        "steps": [
          "video/clip-near"
        ]
      },
      "brand": {
        "text": "The id of a brand: its logo, and its font, colours and margins for burnt captions.",
        "isText": true,
        "steps": [
          "video/clip-near"
        ]
      },
      "loudness": {
        "text": "The integrated loudness of each file, in LUFS (EBU R 128): -16 for podcasts, -14 for most video sites, -23 for broadcast. A limiter keeps peaks at or below -1 dBTP. keep: as in the source. Takes keep or a number. Default: \"keep\".",
        "steps": [
          "video/clip-near"
        ]
      },
      "audio_only": {
        "text": "Leave out the picture. Default: false.",
        "isSwitch": true,
        "steps": [
          "video/clip-near"
        ]
      },
      "fit": {
        "text": "How the picture gets the shape of aspect. crop: a part of it, which follows faces where the service can find them. pad: all of it between black bars. blur: all of it in front of a blurred copy. Default: \"crop\".",
        "isText": true,
        "choices": [
          "crop",
          "pad",
          "blur"
        ],
        "steps": [
          "video/clip-near"
        ]
      },
      "focus": {
        "text": "What a crop keeps inside, or a point as shares of width and height; the centre where there is nothing of the kind. text: lines on the screen. Takes faces, motion, text or a JSON object. Default: \"faces\".",
        "steps": [
          "video/clip-near"
        ]
      },
      "focus_points": {
        "text": "Points that a crop keeps to instead, from start to end in seconds of the media.",
        "steps": [
          "video/clip-near"
        ]
      },
      "mode": {
        "text": "exact: encoded, starts and ends exactly on the frame. Default: \"exact\".",
        "isText": true,
        "choices": [
          "exact",
          "smart",
          "copy"
        ],
        "steps": [
          "video/clip-near"
        ]
      },
      "deinterlace": {
        "text": "Makes one progressive picture of the two fields of each interlaced frame (bwdif). false: H.264 keeps both fields; other codecs, shapes and sizes are deinterlaced in any case. Default: false.",
        "isSwitch": true,
        "steps": [
          "video/clip-near"
        ]
      },
      "audio_fade_ms": {
        "text": "Length of the fade at both ends and of the crossfade at joints, which prevent clicks. Default: 5.",
        "steps": [
          "video/clip-near"
        ]
      },
      "quiet_threshold": {
        "text": "-90 to 0: a level in dBFS. Above 0, up to 1: a linear amplitude. Default: -35.",
        "steps": [
          "video/clip-near"
        ]
      }
    }
  },
  "remove-dead-space": {
    "summary": "Find the pauses and shorten them, by default those of at least 0.6 s to 0.4 s. It makes one joined file, or none if no pause is long enough.",
    "settings": {
      "threshold": {
        "text": "A level in dBFS from -90 to 0, or a linear amplitude above 0 up to 1. Takes a number or auto. Default: -35.",
        "steps": [
          "audio/detect-silence"
        ]
      },
      "min_silence_seconds": {
        "text": "Default: 0.5.",
        "steps": [
          "audio/detect-silence"
        ]
      },
      "min_segment_seconds": {
        "text": "segments[] leaves out sounding segments shorter than this. Default: 0.1.",
        "steps": [
          "audio/detect-silence",
          "timeline/suggest-ranges"
        ]
      },
      "padding_seconds": {
        "text": "Extends every sounding segment on both sides. Default: 0.",
        "steps": [
          "audio/detect-silence",
          "timeline/suggest-ranges"
        ]
      },
      "audio_track": {
        "text": "The default track, the track with this index, or all tracks combined. Takes default, all or a number. Default: \"default\".",
        "steps": [
          "audio/detect-silence"
        ]
      },
      "keep": {
        "text": "Default: \"sound\".",
        "isText": true,
        "choices": [
          "sound",
          "silence"
        ],
        "steps": [
          "timeline/suggest-ranges"
        ]
      },
      "preset": {
        "text": "Sets margin_seconds and max_pause_seconds, and in the chain remove-dead-space min_silence_seconds of audio/detect-silence.",
        "isText": true,
        "choices": [
          "gentle",
          "normal",
          "tight"
        ],
        "steps": [
          "timeline/suggest-ranges"
        ]
      },
      "max_pause_seconds": {
        "text": "Shortens longer pauses to this instead of removing them: half of it stays on each side of the cut. Below 0.1, the chain remove-dead-space also shortens short stops within words.",
        "steps": [
          "timeline/suggest-ranges"
        ]
      },
      "margin_seconds": {
        "text": "The silence that stays on each side of a sound: the same as padding_seconds with one number.",
        "steps": [
          "timeline/suggest-ranges"
        ]
      },
      "min_cut_seconds": {
        "text": "Cuts shorter than this are not made. 0.2, or 0.1 with preset or max_pause_seconds.",
        "steps": [
          "timeline/suggest-ranges"
        ]
      },
      "merge_gap_seconds": {
        "text": "Merges ranges whose gap is at most this long. Default: 0.",
        "steps": [
          "timeline/suggest-ranges"
        ]
      },
      "allow_large_cuts": {
        "text": "Whether more than 80 % of the media may be cut. Without it, such ranges have a warning, and a chain ends before it cuts them. Default: false.",
        "isSwitch": true,
        "steps": [
          "timeline/suggest-ranges"
        ]
      },
      "remove_words": {
        "text": "Cuts these words and phrases wherever they are said, such as \"um\" or \"you know\". Case, accents and punctuation do not count. With commas between.",
        "list": "texts",
        "steps": [
          "timeline/suggest-ranges"
        ]
      },
      "remove_repeats": {
        "text": "Cuts stutters and false starts: of words that are said twice in a row, up to eight, the earlier ones. Numbers and what people double on purpose, such as \"very very\", stay. Default: false.",
        "isSwitch": true,
        "steps": [
          "timeline/suggest-ranges"
        ]
      },
      "keep_text": {
        "text": "A script: words that are not in it are cut, and of several takes the last one stays. Where other words are heard in place of some of it, they stay.",
        "isText": true,
        "steps": [
          "timeline/suggest-ranges"
        ]
      },
      "format": {
        "text": "The clip's container. When left out, the source's; mp4 for mkv and for ogg with a picture, and m4a for mka and amr.",
        "isText": true,
        "choices": [
          "mp4",
          "mov",
          "webm",
          "m4v",
          "mp3",
          "wav",
          "m4a",
          "aac",
          "ogg",
          "opus",
          "flac",
          "aiff"
        ],
        "steps": [
          "video/clip-window"
        ]
      },
      "aspect": {
        "text": "The shape of the picture, 1080 pixels on its shorter side unless height is given: 9:16 for vertical video, 1:1 and 4:5 for feeds, 16:9 for players. Default: \"source\".",
        "isText": true,
        "choices": [
          "source",
          "9:16",
          "1:1",
          "4:5",
          "16:9"
        ],
        "steps": [
          "video/clip-window"
        ]
      },
      "height": {
        "text": "Pixels from top to bottom. A picture is not enlarged further than aspect does.",
        "steps": [
          "video/clip-window"
        ]
      },
      "quality": {
        "text": "Default: \"balanced\".",
        "isText": true,
        "choices": [
          "high",
          "balanced",
          "fast"
        ],
        "steps": [
          "video/clip-window"
        ]
      },
      "captions": {
        "text": "Captions, which keep their place where ranges were removed: of a transcript, or SubRip or WebVTT.",
        "steps": [
          "video/clip-window"
        ]
      },
      "brand": {
        "text": "The id of a brand: its logo, and its font, colours and margins for burnt captions.",
        "isText": true,
        "steps": [
          "video/clip-window"
        ]
      },
      "loudness": {
        "text": "The integrated loudness of each file, in LUFS (EBU R 128): -16 for podcasts, -14 for most video sites, -23 for broadcast. A limiter keeps peaks at or below -1 dBTP. keep: as in the source. Takes keep or a number. Default: \"keep\".",
        "steps": [
          "video/clip-window"
        ]
      },
      "audio_only": {
        "text": "Leave out the picture. Default: false.",
        "isSwitch": true,
        "steps": [
          "video/clip-window"
        ]
      },
      "fit": {
        "text": "How the picture gets the shape of aspect. crop: a part of it, which follows faces where the service can find them. pad: all of it between black bars. blur: all of it in front of a blurred copy. Default: \"crop\".",
        "isText": true,
        "choices": [
          "crop",
          "pad",
          "blur"
        ],
        "steps": [
          "video/clip-window"
        ]
      },
      "focus": {
        "text": "What a crop keeps inside, or a point as shares of width and height; the centre where there is nothing of the kind. text: lines on the screen. Takes faces, motion, text or a JSON object. Default: \"faces\".",
        "steps": [
          "video/clip-window"
        ]
      },
      "focus_points": {
        "text": "Points that a crop keeps to instead, from start to end in seconds of the media.",
        "steps": [
          "video/clip-window"
        ]
      },
      "mode": {
        "text": "exact: encoded, starts and ends exactly on the frame. Default: \"exact\".",
        "isText": true,
        "choices": [
          "exact",
          "smart",
          "copy"
        ],
        "steps": [
          "video/clip-window"
        ]
      },
      "deinterlace": {
        "text": "Makes one progressive picture of the two fields of each interlaced frame (bwdif). false: H.264 keeps both fields; other codecs, shapes and sizes are deinterlaced in any case. Default: false.",
        "isSwitch": true,
        "steps": [
          "video/clip-window"
        ]
      },
      "audio_fade_ms": {
        "text": "Length of the fade at both ends and of the crossfade at joints, which prevent clicks. Default: 5.",
        "steps": [
          "video/clip-window"
        ]
      },
      "join": {
        "text": "true: one file, in the order of the source. false: one file for each range, in the order of the ranges, and at most 100 of them. Default: true.",
        "isSwitch": true,
        "steps": [
          "video/clip-window"
        ]
      }
    }
  },
  "clean-speech": {
    "summary": "Cut filler words, stutters and false starts out of speech, or all that is not in a script: one joined file. Every other word stays whole.",
    "settings": {
      "queries": {
        "text": "Words or phrases to find. Without any, the result is the transcript. With commas between.",
        "list": "texts",
        "steps": [
          "audio/find-words"
        ]
      },
      "match": {
        "text": "exact: the same words; case, accents and punctuation do not count. stem: also other endings, such as run and running. fuzzy: also words with a letter or two that differ. Default: \"exact\".",
        "isText": true,
        "choices": [
          "exact",
          "stem",
          "fuzzy"
        ],
        "steps": [
          "audio/find-words"
        ]
      },
      "min_confidence": {
        "text": "Leaves out words of less confidence. In sound that is hardly speech, words below 0.5 may be invented. Default: 0.3.",
        "steps": [
          "audio/find-words"
        ]
      },
      "audio_track": {
        "text": "The default track, or the track with this index. Takes default or a number. Default: \"default\".",
        "steps": [
          "audio/find-words"
        ]
      },
      "language": {
        "text": "English only. Default: \"en\".",
        "isText": true,
        "choices": [
          "en"
        ],
        "steps": [
          "audio/find-words"
        ]
      },
      "keep": {
        "text": "Default: \"sound\".",
        "isText": true,
        "choices": [
          "sound",
          "silence"
        ],
        "steps": [
          "timeline/suggest-ranges"
        ]
      },
      "preset": {
        "text": "Sets margin_seconds and max_pause_seconds, and in the chain remove-dead-space min_silence_seconds of audio/detect-silence.",
        "isText": true,
        "choices": [
          "gentle",
          "normal",
          "tight"
        ],
        "steps": [
          "timeline/suggest-ranges"
        ]
      },
      "max_pause_seconds": {
        "text": "Shortens longer pauses to this instead of removing them: half of it stays on each side of the cut. Below 0.1, the chain remove-dead-space also shortens short stops within words.",
        "steps": [
          "timeline/suggest-ranges"
        ]
      },
      "margin_seconds": {
        "text": "The silence that stays on each side of a sound: the same as padding_seconds with one number.",
        "steps": [
          "timeline/suggest-ranges"
        ]
      },
      "padding_seconds": {
        "text": "Extends every range on both sides, or by before and after separately. 0.2 without preset, max_pause_seconds and margin_seconds. Takes a number or a JSON object.",
        "steps": [
          "timeline/suggest-ranges"
        ]
      },
      "min_cut_seconds": {
        "text": "Cuts shorter than this are not made. 0.2, or 0.1 with preset or max_pause_seconds.",
        "steps": [
          "timeline/suggest-ranges"
        ]
      },
      "merge_gap_seconds": {
        "text": "Merges ranges whose gap is at most this long. Default: 0.",
        "steps": [
          "timeline/suggest-ranges"
        ]
      },
      "min_segment_seconds": {
        "text": "Sounding segments shorter than this count as silence. Default: 0.1.",
        "steps": [
          "timeline/suggest-ranges"
        ]
      },
      "allow_large_cuts": {
        "text": "Whether more than 80 % of the media may be cut. Without it, such ranges have a warning, and a chain ends before it cuts them. Default: false.",
        "isSwitch": true,
        "steps": [
          "timeline/suggest-ranges"
        ]
      },
      "remove_words": {
        "text": "Cuts these words and phrases wherever they are said, such as \"um\" or \"you know\". Case, accents and punctuation do not count. With commas between.",
        "list": "texts",
        "steps": [
          "timeline/suggest-ranges"
        ]
      },
      "remove_repeats": {
        "text": "Cuts stutters and false starts: of words that are said twice in a row, up to eight, the earlier ones. Numbers and what people double on purpose, such as \"very very\", stay. Default: false.",
        "isSwitch": true,
        "steps": [
          "timeline/suggest-ranges"
        ]
      },
      "keep_text": {
        "text": "A script: words that are not in it are cut, and of several takes the last one stays. Where other words are heard in place of some of it, they stay.",
        "isText": true,
        "steps": [
          "timeline/suggest-ranges"
        ]
      },
      "format": {
        "text": "The clip's container. When left out, the source's; mp4 for mkv and for ogg with a picture, and m4a for mka and amr.",
        "isText": true,
        "choices": [
          "mp4",
          "mov",
          "webm",
          "m4v",
          "mp3",
          "wav",
          "m4a",
          "aac",
          "ogg",
          "opus",
          "flac",
          "aiff"
        ],
        "steps": [
          "video/clip-window"
        ]
      },
      "aspect": {
        "text": "The shape of the picture, 1080 pixels on its shorter side unless height is given: 9:16 for vertical video, 1:1 and 4:5 for feeds, 16:9 for players. Default: \"source\".",
        "isText": true,
        "choices": [
          "source",
          "9:16",
          "1:1",
          "4:5",
          "16:9"
        ],
        "steps": [
          "video/clip-window"
        ]
      },
      "height": {
        "text": "Pixels from top to bottom. A picture is not enlarged further than aspect does.",
        "steps": [
          "video/clip-window"
        ]
      },
      "quality": {
        "text": "Default: \"balanced\".",
        "isText": true,
        "choices": [
          "high",
          "balanced",
          "fast"
        ],
        "steps": [
          "video/clip-window"
        ]
      },
      "captions": {
        "text": "Captions, which keep their place where ranges were removed: of a transcript, or SubRip or WebVTT.",
        "steps": [
          "video/clip-window"
        ]
      },
      "brand": {
        "text": "The id of a brand: its logo, and its font, colours and margins for burnt captions.",
        "isText": true,
        "steps": [
          "video/clip-window"
        ]
      },
      "loudness": {
        "text": "The integrated loudness of each file, in LUFS (EBU R 128): -16 for podcasts, -14 for most video sites, -23 for broadcast. A limiter keeps peaks at or below -1 dBTP. keep: as in the source. Takes keep or a number. Default: \"keep\".",
        "steps": [
          "video/clip-window"
        ]
      },
      "audio_only": {
        "text": "Leave out the picture. Default: false.",
        "isSwitch": true,
        "steps": [
          "video/clip-window"
        ]
      },
      "fit": {
        "text": "How the picture gets the shape of aspect. crop: a part of it, which follows faces where the service can find them. pad: all of it between black bars. blur: all of it in front of a blurred copy. Default: \"crop\".",
        "isText": true,
        "choices": [
          "crop",
          "pad",
          "blur"
        ],
        "steps": [
          "video/clip-window"
        ]
      },
      "focus": {
        "text": "What a crop keeps inside, or a point as shares of width and height; the centre where there is nothing of the kind. text: lines on the screen. Takes faces, motion, text or a JSON object. Default: \"faces\".",
        "steps": [
          "video/clip-window"
        ]
      },
      "focus_points": {
        "text": "Points that a crop keeps to instead, from start to end in seconds of the media.",
        "steps": [
          "video/clip-window"
        ]
      },
      "mode": {
        "text": "exact: encoded, starts and ends exactly on the frame. Default: \"exact\".",
        "isText": true,
        "choices": [
          "exact",
          "smart",
          "copy"
        ],
        "steps": [
          "video/clip-window"
        ]
      },
      "deinterlace": {
        "text": "Makes one progressive picture of the two fields of each interlaced frame (bwdif). false: H.264 keeps both fields; other codecs, shapes and sizes are deinterlaced in any case. Default: false.",
        "isSwitch": true,
        "steps": [
          "video/clip-window"
        ]
      },
      "audio_fade_ms": {
        "text": "Length of the fade at both ends and of the crossfade at joints, which prevent clicks. Default: 5.",
        "steps": [
          "video/clip-window"
        ]
      },
      "join": {
        "text": "true: one file, in the order of the source. false: one file for each range, in the order of the ranges, and at most 100 of them. Default: true.",
        "isSwitch": true,
        "steps": [
          "video/clip-window"
        ]
      }
    }
  },
  "find-exact-words": {
    "summary": "Find where words are spoken, and cut a clip around each place.",
    "settings": {
      "queries": {
        "text": "Words or phrases to find. Without any, the result is the transcript. With commas between.",
        "list": "texts",
        "steps": [
          "audio/find-words"
        ]
      },
      "match": {
        "text": "exact: the same words; case, accents and punctuation do not count. stem: also other endings, such as run and running. fuzzy: also words with a letter or two that differ. Default: \"exact\".",
        "isText": true,
        "choices": [
          "exact",
          "stem",
          "fuzzy"
        ],
        "steps": [
          "audio/find-words"
        ]
      },
      "min_confidence": {
        "text": "Leaves out words of less confidence. In sound that is hardly speech, words below 0.5 may be invented. Default: 0.3.",
        "steps": [
          "audio/find-words"
        ]
      },
      "audio_track": {
        "text": "The default track, or the track with this index. Takes default or a number. Default: \"default\".",
        "steps": [
          "audio/find-words"
        ]
      },
      "language": {
        "text": "English only. Default: \"en\".",
        "isText": true,
        "choices": [
          "en"
        ],
        "steps": [
          "audio/find-words"
        ]
      },
      "before_seconds": {
        "text": "Default: 5.",
        "steps": [
          "video/clip-near"
        ]
      },
      "after_seconds": {
        "text": "Default: 5.",
        "steps": [
          "video/clip-near"
        ]
      },
      "join": {
        "text": "Puts the clips of several moments into one file, in the order of time. A stretch that several clips share is in the file once. Default: false.",
        "isSwitch": true,
        "steps": [
          "video/clip-near"
        ]
      },
      "snap": {
        "text": "What each edge looks for, at most 2 seconds from its position. The maximum price counts these seconds; the final price is for the length of the clip. Default: \"silence\".",
        "isText": true,
        "choices": [
          "silence",
          "keyframe",
          "none"
        ],
        "steps": [
          "video/clip-near"
        ]
      },
      "format": {
        "text": "The clip's container. When left out, the source's; mp4 for mkv and for ogg with a picture, and m4a for mka and amr.",
        "isText": true,
        "choices": [
          "mp4",
          "mov",
          "webm",
          "m4v",
          "mp3",
          "wav",
          "m4a",
          "aac",
          "ogg",
          "opus",
          "flac",
          "aiff"
        ],
        "steps": [
          "video/clip-near"
        ]
      },
      "aspect": {
        "text": "The shape of the picture, 1080 pixels on its shorter side unless height is given: 9:16 for vertical video, 1:1 and 4:5 for feeds, 16:9 for players. Default: \"source\".",
        "isText": true,
        "choices": [
          "source",
          "9:16",
          "1:1",
          "4:5",
          "16:9"
        ],
        "steps": [
          "video/clip-near"
        ]
      },
      "height": {
        "text": "Pixels from top to bottom. A picture is not enlarged further than aspect does.",
        "steps": [
          "video/clip-near"
        ]
      },
      "quality": {
        "text": "Default: \"balanced\".",
        "isText": true,
        "choices": [
          "high",
          "balanced",
          "fast"
        ],
        "steps": [
          "video/clip-near"
        ]
      },
      "captions": {
        "text": "Captions, which keep their place where ranges were removed: of a transcript, or SubRip or WebVTT.",
        "steps": [
          "video/clip-near"
        ]
      },
      "brand": {
        "text": "The id of a brand: its logo, and its font, colours and margins for burnt captions.",
        "isText": true,
        "steps": [
          "video/clip-near"
        ]
      },
      "loudness": {
        "text": "The integrated loudness of each file, in LUFS (EBU R 128): -16 for podcasts, -14 for most video sites, -23 for broadcast. A limiter keeps peaks at or below -1 dBTP. keep: as in the source. Takes keep or a number. Default: \"keep\".",
        "steps": [
          "video/clip-near"
        ]
      },
      "audio_only": {
        "text": "Leave out the picture. Default: false.",
        "isSwitch": true,
        "steps": [
          "video/clip-near"
        ]
      },
      "fit": {
        "text": "How the picture gets the shape of aspect. crop: a part of it, which follows faces where the service can find them. pad: all of it between black bars. blur: all of it in front of a blurred copy. Default: \"crop\".",
        "isText": true,
        "choices": [
          "crop",
          "pad",
          "blur"
        ],
        "steps": [
          "video/clip-near"
        ]
      },
      "focus": {
        "text": "What a crop keeps inside, or a point as shares of width and height; the centre where there is nothing of the kind. text: lines on the screen. Takes faces, motion, text or a JSON object. Default: \"faces\".",
        "steps": [
          "video/clip-near"
        ]
      },
      "focus_points": {
        "text": "Points that a crop keeps to instead, from start to end in seconds of the media.",
        "steps": [
          "video/clip-near"
        ]
      },
      "mode": {
        "text": "exact: encoded, starts and ends exactly on the frame. Default: \"exact\".",
        "isText": true,
        "choices": [
          "exact",
          "smart",
          "copy"
        ],
        "steps": [
          "video/clip-near"
        ]
      },
      "deinterlace": {
        "text": "Makes one progressive picture of the two fields of each interlaced frame (bwdif). false: H.264 keeps both fields; other codecs, shapes and sizes are deinterlaced in any case. Default: false.",
        "isSwitch": true,
        "steps": [
          "video/clip-near"
        ]
      },
      "audio_fade_ms": {
        "text": "Length of the fade at both ends and of the crossfade at joints, which prevent clicks. Default: 5.",
        "steps": [
          "video/clip-near"
        ]
      },
      "quiet_threshold": {
        "text": "-90 to 0: a level in dBFS. Above 0, up to 1: a linear amplitude. Default: -35.",
        "steps": [
          "video/clip-near"
        ]
      },
      "min_segment_seconds": {
        "text": "Snapping never makes a clip shorter than this. Default: 0.3.",
        "steps": [
          "video/clip-near"
        ]
      }
    }
  },
  "find-highlights": {
    "summary": "Find the best stretches of a talk, by laughter, loud speech and questions, and cut a clip of each. Clips begin and end with sentences.",
    "settings": {
      "queries": {
        "text": "Words or phrases to find. Without any, the result is the transcript. With commas between.",
        "list": "texts",
        "steps": [
          "audio/find-words"
        ]
      },
      "match": {
        "text": "exact: the same words; case, accents and punctuation do not count. stem: also other endings, such as run and running. fuzzy: also words with a letter or two that differ. Default: \"exact\".",
        "isText": true,
        "choices": [
          "exact",
          "stem",
          "fuzzy"
        ],
        "steps": [
          "audio/find-words"
        ]
      },
      "min_confidence": {
        "text": "Leaves out words of less confidence. In sound that is hardly speech, words below 0.5 may be invented. Default: 0.3.",
        "steps": [
          "audio/find-words"
        ]
      },
      "audio_track": {
        "text": "The default track, or the track with this index. Takes default or a number. Default: \"default\".",
        "steps": [
          "audio/find-words",
          "audio/detect-laughter",
          "audio/detect-energy"
        ]
      },
      "language": {
        "text": "English only. Default: \"en\".",
        "isText": true,
        "choices": [
          "en"
        ],
        "steps": [
          "audio/find-words"
        ]
      },
      "threshold": {
        "text": "A segment has at least this score somewhere. 0.5 finds only what is clearly laughter. Default: 0.25.",
        "steps": [
          "audio/detect-laughter",
          "audio/detect-energy"
        ]
      },
      "min_segment_seconds": {
        "text": "Default: 0.3.",
        "steps": [
          "audio/detect-laughter",
          "audio/detect-energy"
        ]
      },
      "quiet_threshold": {
        "text": "A window below this level ends the segment. At most threshold. Default: -35.",
        "steps": [
          "audio/detect-energy"
        ]
      },
      "top": {
        "text": "Only this many segments: the loudest by mean_db, in the order of time.",
        "steps": [
          "audio/detect-energy"
        ]
      },
      "window_seconds": {
        "text": "Default: 0.1.",
        "steps": [
          "audio/detect-energy"
        ]
      },
      "topics_job_id": {
        "text": "A completed job of audio/semantic-chunks on the same media: where a topic begins.",
        "isText": true,
        "steps": [
          "timeline/find-highlights"
        ]
      },
      "min_seconds": {
        "text": "Default: 20.",
        "steps": [
          "timeline/find-highlights"
        ]
      },
      "max_seconds": {
        "text": "Default: 60.",
        "steps": [
          "timeline/find-highlights"
        ]
      },
      "max_highlights": {
        "text": "Default: 5.",
        "steps": [
          "timeline/find-highlights"
        ]
      },
      "format": {
        "text": "The clip's container. When left out, the source's; mp4 for mkv and for ogg with a picture, and m4a for mka and amr.",
        "isText": true,
        "choices": [
          "mp4",
          "mov",
          "webm",
          "m4v",
          "mp3",
          "wav",
          "m4a",
          "aac",
          "ogg",
          "opus",
          "flac",
          "aiff"
        ],
        "steps": [
          "video/clip-window"
        ]
      },
      "aspect": {
        "text": "The shape of the picture, 1080 pixels on its shorter side unless height is given: 9:16 for vertical video, 1:1 and 4:5 for feeds, 16:9 for players. Default: \"source\".",
        "isText": true,
        "choices": [
          "source",
          "9:16",
          "1:1",
          "4:5",
          "16:9"
        ],
        "steps": [
          "video/clip-window"
        ]
      },
      "height": {
        "text": "Pixels from top to bottom. A picture is not enlarged further than aspect does.",
        "steps": [
          "video/clip-window"
        ]
      },
      "quality": {
        "text": "Default: \"balanced\".",
        "isText": true,
        "choices": [
          "high",
          "balanced",
          "fast"
        ],
        "steps": [
          "video/clip-window"
        ]
      },
      "captions": {
        "text": "Captions, which keep their place where ranges were removed: of a transcript, or SubRip or WebVTT.",
        "steps": [
          "video/clip-window"
        ]
      },
      "brand": {
        "text": "The id of a brand: its logo, and its font, colours and margins for burnt captions.",
        "isText": true,
        "steps": [
          "video/clip-window"
        ]
      },
      "loudness": {
        "text": "The integrated loudness of each file, in LUFS (EBU R 128): -16 for podcasts, -14 for most video sites, -23 for broadcast. A limiter keeps peaks at or below -1 dBTP. keep: as in the source. Takes keep or a number. Default: \"keep\".",
        "steps": [
          "video/clip-window"
        ]
      },
      "audio_only": {
        "text": "Leave out the picture. Default: false.",
        "isSwitch": true,
        "steps": [
          "video/clip-window"
        ]
      },
      "fit": {
        "text": "How the picture gets the shape of aspect. crop: a part of it, which follows faces where the service can find them. pad: all of it between black bars. blur: all of it in front of a blurred copy. Default: \"crop\".",
        "isText": true,
        "choices": [
          "crop",
          "pad",
          "blur"
        ],
        "steps": [
          "video/clip-window"
        ]
      },
      "focus": {
        "text": "What a crop keeps inside, or a point as shares of width and height; the centre where there is nothing of the kind. text: lines on the screen. Takes faces, motion, text or a JSON object. Default: \"faces\".",
        "steps": [
          "video/clip-window"
        ]
      },
      "focus_points": {
        "text": "Points that a crop keeps to instead, from start to end in seconds of the media.",
        "steps": [
          "video/clip-window"
        ]
      },
      "mode": {
        "text": "exact: encoded, starts and ends exactly on the frame. Default: \"exact\".",
        "isText": true,
        "choices": [
          "exact",
          "smart",
          "copy"
        ],
        "steps": [
          "video/clip-window"
        ]
      },
      "deinterlace": {
        "text": "Makes one progressive picture of the two fields of each interlaced frame (bwdif). false: H.264 keeps both fields; other codecs, shapes and sizes are deinterlaced in any case. Default: false.",
        "isSwitch": true,
        "steps": [
          "video/clip-window"
        ]
      },
      "audio_fade_ms": {
        "text": "Length of the fade at both ends and of the crossfade at joints, which prevent clicks. Default: 5.",
        "steps": [
          "video/clip-window"
        ]
      },
      "join": {
        "text": "true: one file, in the order of the source. false: one file for each range, in the order of the ranges, and at most 100 of them. Default: true.",
        "isSwitch": true,
        "steps": [
          "video/clip-window"
        ]
      }
    }
  },
  "pick-thumbnails": {
    "summary": "Pick good frames, rank them as thumbnails, and crop them around what people look at.",
    "settings": {
      "count": {
        "text": "The most frames to return. Default: 5.",
        "steps": [
          "video/best-frames"
        ]
      },
      "crops": {
        "text": "The shapes to which each frame is cropped. Without any, no file is made. With commas between. Default: [\"16:9\",\"9:16\",\"1:1\"].",
        "list": "texts",
        "steps": [
          "video/thumbnail-score"
        ]
      }
    }
  },
  "searchable-media-memory": {
    "summary": "Split speech by topic, read text in the picture, and merge both into one timeline. Search finds all of it.",
    "settings": {
      "target_seconds": {
        "text": "Also cuts chunks that are longer than this, at their clearest change of subject. When left out, a chunk can be of any length.",
        "steps": [
          "audio/semantic-chunks"
        ]
      },
      "min_seconds": {
        "text": "No cut makes a shorter chunk. Default: 10.",
        "steps": [
          "audio/semantic-chunks"
        ]
      },
      "min_chapters": {
        "text": "Also cuts at the clearest changes of subject until there are this many chunks. A warning says if there are fewer. YouTube shows 3 or more.",
        "steps": [
          "audio/semantic-chunks"
        ]
      },
      "max_chapters": {
        "text": "Cuts only at the clearest changes of subject.",
        "steps": [
          "audio/semantic-chunks"
        ]
      },
      "text_job_id": {
        "text": "A completed job of video/text-frames on this media: a chunk gets the title of the slide that is shown longest in it, where there is one.",
        "isText": true,
        "steps": [
          "audio/semantic-chunks"
        ]
      },
      "audio_track": {
        "text": "The default track, or the track with this index. Takes default or a number. Default: \"default\".",
        "steps": [
          "audio/semantic-chunks"
        ]
      },
      "queries": {
        "text": "Words or phrases to find. A phrase is found within a line. Without any, the result is all text. With commas between.",
        "list": "texts",
        "steps": [
          "video/text-frames"
        ]
      },
      "match": {
        "text": "exact: the same words; case, accents and punctuation do not count. stem: also other endings, such as run and running. fuzzy: also words with a letter or two that differ. Default: \"exact\".",
        "isText": true,
        "choices": [
          "exact",
          "stem",
          "fuzzy"
        ],
        "steps": [
          "video/text-frames"
        ]
      },
      "min_confidence": {
        "text": "Leaves out lines of less confidence. None has less than 0.5. Default: 0.6.",
        "steps": [
          "video/text-frames"
        ]
      },
      "region": {
        "text": "Leaves out lines whose middle is outside. Such as { \"x\": 0, \"y\": 0.75, \"width\": 1, \"height\": 0.25 } for subtitles. Default: {\"x\":0,\"y\":0,\"width\":1,\"height\":1}.",
        "steps": [
          "video/text-frames"
        ]
      },
      "recordings": {
        "text": "For timelines of several recordings of one event: the recordings of timeline/sync unchanged, one for each timeline or job, in their order.",
        "steps": [
          "timeline/merge"
        ]
      }
    }
  }
}

/** Of endpoints whose jobs are exported by one of several lists: what an entry of each is. The first with entries is exported unless another is asked for. */
export const exportLists: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "audio/detect-silence": {
    "segments": "sound",
    "silences": "pause"
  },
  "audio/find-words": {
    "matches": "match",
    "segments": "segment",
    "sentences": "sentence",
    "words": "word"
  },
  "audio/semantic-chunks": {
    "segments": "topic",
    "chunks": "topic"
  },
  "video/text-frames": {
    "matches": "match",
    "segments": "segment",
    "lines": "line"
  },
  "timeline/suggest-ranges": {
    "ranges": "range",
    "cuts": "cut"
  }
}

/** Which programs read each format of an export. */
export const exportFormats: Readonly<Record<string, string>> = {
  "csv": "spreadsheets",
  "vtt": "captions of web players",
  "srt": "captions",
  "labels": "label track of Audacity",
  "chapters": "chapters of YouTube",
  "edl": "CMX 3600, most editors; markers for DaVinci Resolve",
  "fcpxml": "Final Cut Pro, DaVinci Resolve",
  "xmeml": "Premiere Pro, DaVinci Resolve",
  "otio": "OpenTimelineIO",
  "ffmpeg": "a command line that joins the entries"
}

/** What help says of the options of an export. */
export const exportOptions = {
  "what": "markers: the media stays whole, and has a marker for each entry, with its colour by what it is. cuts: the entries, one after another. When left out, markers for moments without a length, such as frames, and for several jobs; otherwise cuts. One of markers, cuts.",
  "jobs": "Up to 5 further completed jobs on the same media, separated by commas, whose entries are markers in the same file, in colours of their own: job_1,job_2:silences. A colon names the list. For csv, labels, chapters, edl, fcpxml, xmeml, otio.",
  "fps": "Frames a second of the timeline, for edl, fcpxml, xmeml and otio. When left out, that of the picture, a multiple of a slower one, or a part of a faster one, and 30 for sound alone. One of 24, 25, 30, 48, 50, 60, 100, 120, 23.976, 29.97, 59.94, 119.88."
} as const
