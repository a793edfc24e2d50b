"""Reads exports with programs of others, and prints what they found as JSON: {file: {track: [[name, start, frames]]}}."""
import json
import sys

import opentimelineio as otio
import pycmx
import webvtt


def timeline_in(read):
    if isinstance(read, otio.schema.Timeline):
        return read
    return next(found for found in (timeline_in(child) for child in read) if found)


def tracks_of(file, **options):
    tracks = {}
    # Without a name, the library would free what contains the tracks.
    read = otio.adapters.read_from_file(file, **options)
    timeline = timeline_in(read)
    for track in timeline.tracks:
        clips = [item for item in track if isinstance(item, otio.schema.Clip)]
        times = [clip.source_range for clip in clips]
        tracks[track.kind] = [
            [clip.name, time.start_time.value, time.duration.value] for clip, time in zip(clips, times)
        ]
    return tracks


def cues_of(cues):
    return [[cue.start, cue.end, cue.text] for cue in cues]


found = {}
for file in sys.argv[2:]:
    kind = file.rsplit(".", 1)[1]
    if kind == "edl":
        found[kind] = tracks_of(file, rate=float(sys.argv[1]))
        with open(file) as text:
            edits = [event.edits[0] for event in pycmx.parse_cmx3600(text).events]
        found["pycmx"] = [[edit.source_in, edit.source_out, edit.record_in, edit.record_out] for edit in edits]
    elif kind == "vtt":
        found[kind] = cues_of(webvtt.read(file))
    elif kind == "srt":
        found[kind] = cues_of(webvtt.from_srt(file))
    else:
        found[kind] = tracks_of(file)
print(json.dumps(found))
