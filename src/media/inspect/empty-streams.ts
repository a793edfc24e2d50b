import type { ProbedStream, ProbeJson, ProbeQuery } from './probe-json.ts'

/**
 * The streams without a packet that can be read: their data is in another file, was never written, or is lost. Streams with a packet
 * among those that were probed are not asked about.
 */
export async function emptyStreams(
  query: ProbeQuery,
  { packets }: ProbeJson,
  streams: readonly ProbedStream[],
): Promise<ReadonlySet<ProbedStream>> {
  const seen = new Set(packets.map(({ stream_index: index }) => index))
  const empty = new Set<ProbedStream>()
  for (const stream of streams) if (!seen.has(stream.index) && !(await hasPacket(query, stream))) empty.add(stream)
  return empty
}

async function hasPacket({ input, ffmpeg, signal }: ProbeQuery, { index }: ProbedStream): Promise<boolean> {
  let isFound = false
  await ffmpeg.probe({
    ...{ input, signal, deadlineSeconds: 60 },
    options: [
      ...['-select_streams', String(index), '-read_intervals', '%+#1'],
      ...['-show_entries', 'packet=stream_index', '-of', 'compact'],
    ],
    onLine: (line) => {
      isFound ||= line.startsWith('packet')
    },
  })
  return isFound
}
