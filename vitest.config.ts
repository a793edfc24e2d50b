import { defineConfig } from 'vitest/config'

/** A test file names in its suffix what it needs: `cut.media.test.ts` runs ffmpeg, `cut.test.ts` nothing. */
const suffixes = ['media', 'db', 'api', 'service', 'faults']

export default defineConfig({
  test: {
    // Long enough for a machine several times slower than usual: a passing test never waits for them.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 2,
    coverage: {
      provider: 'v8',
      include: ['src/**', 'api/**', 'activities/**', 'workflows/**'],
      exclude: ['src/store/generated/**'],
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: suffixes.map((suffix) => `test/**/*.${suffix}.test.ts`),
          pool: 'threads',
        },
      },
      {
        extends: true,
        test: {
          name: 'services',
          include: suffixes.map((suffix) => `test/**/*.${suffix}.test.ts`),
          globalSetup: ['test/setup/global.ts'],
          setupFiles: ['test/setup/worker.ts'],
          pool: 'forks',
        },
      },
    ],
  },
})
