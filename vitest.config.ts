import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { SlowestFirst } from './scripts/test/slowest-first.ts'

/** A test file names in its suffix what it needs: `cut.media.test.ts` runs ffmpeg, `cut.test.ts` nothing. The slowest first. */
const suffixes = ['faults', 'service', 'browser', 'api', 'media', 'db']

export default defineConfig({
  test: {
    // Long enough for a machine several times slower than usual: a passing test never waits for them.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
    // One more than the cores of a small machine: tests of processes wait for them half of their time.
    maxWorkers: 3,
    pool: 'forks',
    isolate: false,
    setupFiles: ['test/setup/worker.ts'],
    // Processes, and bounds of time, race with whatever else the machine does. The run names the tests that needed it.
    retry: 1,
    sequence: { sequencer: SlowestFirst },
    reporters: ['default', './scripts/test/second-tries.ts'],
    coverage: {
      provider: 'v8',
      include: ['src/**', 'api/**', 'activities/**', 'workflows/**'],
      exclude: ['src/db/generated/**'],
    },
    projects: [
      ...suffixes.map(
        (suffix): TestProjectInlineConfiguration => ({
          extends: true,
          test: {
            name: suffix,
            include: [`test/**/*.${suffix}.test.ts`],
            globalSetup: ['test/setup/global.ts'],
          },
        }),
      ),
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: suffixes.map((suffix) => `test/**/*.${suffix}.test.ts`),
        },
      },
    ],
  },
})
