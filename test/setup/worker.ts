// Without this, a worker whose vitest was killed would run to the end of its test.
process.once('disconnect', () => process.exit(1))
