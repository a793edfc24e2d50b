import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/setup/global.ts'],
    setupFiles: ['test/setup/worker.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // Long enough for a machine several times slower than usual: a passing test never waits for them.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    coverage: {
      provider: 'v8',
      include: ['src/**', 'api/**', 'activities/**', 'workflows/**'],
      exclude: ['src/store/generated/**'],
    },
  },
})
