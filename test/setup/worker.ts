// A worker whose vitest was killed would go on to the end of its test.
process.once('disconnect', () => process.exit(1))
