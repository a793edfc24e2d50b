import { measureVictim, victimSchema } from './victim.ts'

// The process of `measureVictimApart`: one message in, the latencies out.
process.once('disconnect', () => process.exit())
process.once('message', (message) => {
  void measureVictim(victimSchema.parse(message)).then((latencies) => {
    process.send?.(latencies, () => process.exit())
  })
})
