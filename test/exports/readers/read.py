"""Reads exports with programs of others, and prints what they found as JSON: {file: {track: [[name, start, frames]]}}."""
import json
import sys
import xml.etree.ElementTree as ElementTree
from fractions import Fraction

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


def markers_of(read):
    """[name, colour, frame after the start of the medium, frames] of each marker, from the clip or the sequence that has it."""
    timeline = timeline_in(read)
    clip = next(item for track in timeline.tracks for item in track if isinstance(item, otio.schema.Clip))
    start = clip.source_range.start_time.value
    if clip.markers:
        return [marker_of(marker, start) for marker in clip.markers]
    return [marker_of(marker, 0) for marker in timeline.tracks.markers]


def marker_of(marker, start):
    span = marker.marked_range
    return [marker.name, marker.color, round(span.start_time.value - start, 6), round(span.duration.value, 6)]


def fcpxml_of(file):
    """The clips, and functions that read their times."""
    root = ElementTree.parse(file).getroot()
    second = lambda each, name: Fraction(each.get(name).rstrip("s"))
    frames = lambda seconds: float(seconds / second(root.find(".//format"), "frameDuration"))
    return root.findall(".//asset-clip"), second, frames


def fcpxml_edits_of(file):
    """[frame of the medium, frames] of each clip."""
    clips, second, frames = fcpxml_of(file)
    return [[frames(second(clip, name)) for name in ("start", "duration")] for clip in clips]


def fcpxml_markers_of(file):
    """Likewise, in exact fractions: the library's reader of FCPXML takes whole frame rates, and leaves chapters out."""
    clips, second, frames = fcpxml_of(file)
    clip = clips[0]
    marks = [each for each in clip if each.tag in ("marker", "chapter-marker")]
    return [
        [each.get("value"), each.get("note"), frames(second(each, "start") - second(clip, "start"))]
        + [frames(second(each, "duration"))]
        for each in marks
    ]


def cues_of(cues):
    return [[cue.start, cue.end, cue.text] for cue in cues]


found = {"markers": {}}
for file in sys.argv[2:]:
    kind = file.rsplit(".", 1)[1]
    if kind == "edl":
        found[kind] = tracks_of(file, rate=float(sys.argv[1]))
        with open(file) as text:
            events = list(pycmx.parse_cmx3600(text).events)
        edits = [event.edits[0] for event in events]
        found["resolve"] = [
            [each.content for each in event.unrecognized_statements if each.content] for event in events
        ]
        found["pycmx"] = [[edit.source_in, edit.source_out, edit.record_in, edit.record_out] for edit in edits]
    elif kind == "vtt":
        found[kind] = cues_of(webvtt.read(file))
    elif kind == "srt":
        found[kind] = cues_of(webvtt.from_srt(file))
    else:
        found[kind] = tracks_of(file)
        read = fcpxml_markers_of(file) if kind == "fcpxml" else markers_of(otio.adapters.read_from_file(file))
        found["markers"][kind] = read
        if kind == "fcpxml":
            found["exact"] = fcpxml_edits_of(file)
print(json.dumps(found))
