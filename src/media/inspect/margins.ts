// How far around a window media is read, and how exactly its frames are told apart: every reader must agree on these.

/** Decoders need what comes before: the last keyframe, the overlap of audio blocks. */
export const prerollSeconds = 1

/** Frames are stored out of order, so packets are read this far around an interval. */
export const reorderSeconds = 1

/** Results state times to the millisecond, so a frame that starts up to half a millisecond before a window counts as in the window. */
export const frameToleranceSeconds = 0.0005

/** The longest that a frame of film is shown. A frame that is shown for longer is a slide, and may be cut in two. */
export const maxFilmFrameSeconds = 0.1
