/*
 * With `-v error`, ffmpeg that ends well writes a line for each error that it met: mostly of decoders and demuxers, as
 * `[h264 @ 0x55…] error while decoding MB 3 4`.
 */

/**
 * What decoders of healthy media write as well: where decoding begins at a keyframe of an open group of pictures, frames
 * before it are missing that other frames name (libavcodec/h264_refs.c, hevc/refs.c).
 */
const missingReferences =
  /mmco: unref short failure|co located POCs unavailable|reference picture|number of reference frames|Could not find ref with POC|Error constructing the frame RPS/i

/** Of the output: timestamps that the source left a gap in, and that its muxer mends. */
const ofOutput = /non monotonically increasing dts to muxer/

/** Stands for the line before it, which was counted. */
const repetition = /^\s*Last message repeated/

/** Whether the line says that the media is damaged. */
export function isDecodeError(line: string): boolean {
  return line.trim() !== '' && ![missingReferences, ofOutput, repetition].some((pattern) => pattern.test(line))
}
