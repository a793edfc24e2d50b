/*
 * With `-v error`, ffmpeg that ends well writes a line for each error that it met: mostly of decoders and demuxers, as
 * `[h264 @ 0x55…] error while decoding MB 3 4`.
 */

/**
 * Lines that decoders also write for healthy media. If decoding begins at a keyframe of an open group of pictures, frames refer
 * to earlier frames, which are missing (libavcodec/h264_refs.c, hevc/refs.c).
 */
const missingReferences =
  /mmco: unref short failure|co located POCs unavailable|reference picture|number of reference frames|Could not find ref with POC|Error constructing the frame RPS/i

/** A line about the output: after a gap in the source's timestamps, the muxer corrects its own. */
const ofOutput = /non monotonically increasing dts to muxer/

/** Repeats the line before it, which was already counted. */
const repetition = /^\s*Last message repeated/

/** Whether the line says that the media is damaged. */
export function isDecodeError(line: string): boolean {
  return line.trim() !== '' && ![missingReferences, ofOutput, repetition].some((pattern) => pattern.test(line))
}
