"""Speaks with the library of espeak-ng.

Arguments: the folder of the package espeakng-loader, and the WAV to write. Standard input: a JSON list of [voice, words a minute,
pitch, text], where pitch is 0 to 99 and [[…]] in texts are phonemes. Prints a JSON list of [start, end] in seconds, one for each text.
"""

import ctypes
import json
import pathlib
import sys
import wave

SYNCHRONOUS = 2
RATE, PITCH = 1, 3
UTF8, PHONEMES = 1, 0x100
GAP_SECONDS = 0.2

folder, output = pathlib.Path(sys.argv[1]), sys.argv[2]
library = ctypes.CDLL(str(next(folder.glob("libespeak-ng.*"))))
sample_rate = library.espeak_Initialize(SYNCHRONOUS, 0, str(folder).encode(), 0)
if sample_rate <= 0:
    sys.exit("espeak-ng does not start")
spoken = bytearray()


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p)
def take(samples, count, _events):
    if samples and count > 0:
        spoken.extend(ctypes.string_at(samples, 2 * count))
    return 0


library.espeak_SetSynthCallback(take)
spans = []
for voice, rate, pitch, text in json.load(sys.stdin):
    if library.espeak_SetVoiceByName(voice.encode()) != 0:
        sys.exit(f"no voice {voice}")
    library.espeak_SetParameter(RATE, rate, 0)
    library.espeak_SetParameter(PITCH, pitch, 0)
    start = len(spoken)
    content = text.encode() + b"\0"
    library.espeak_Synth(content, len(content), 0, 0, 0, UTF8 | PHONEMES, None, None)
    library.espeak_Synchronize()
    spans.append([start / 2 / sample_rate, len(spoken) / 2 / sample_rate])
    spoken.extend(bytes(2 * int(GAP_SECONDS * sample_rate)))
with wave.open(output, "wb") as file:
    file.setnchannels(1)
    file.setsampwidth(2)
    file.setframerate(sample_rate)
    file.writeframes(bytes(spoken))
print(json.dumps(spans))
