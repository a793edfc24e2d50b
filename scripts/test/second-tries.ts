import type { Reporter, TestCase } from 'vitest/node'

/** Names the tests that failed at first and passed when they were tried again, and why they failed: each hides a race or too short a time. */
// vitest loads a reporter by its default export.
// biome-ignore lint/style/noDefaultExport: vitest.dev/guide/advanced/reporters
export default class SecondTries implements Reporter {
  private readonly names: string[] = []

  onTestCaseResult(test: TestCase): void {
    const tried = test.diagnostic()
    if (!tried?.flaky) return
    const failure = test.result().errors?.[0]?.message.split('\n', 3).join(' ').slice(0, 300)
    this.names.push(`${test.module.relativeModuleId}: ${test.fullName} (${tried.retryCount + 1} tries): ${failure}`)
  }

  onTestRunEnd(): void {
    if (this.names.length > 0) console.log(`Passed after a first failure:\n  ${this.names.join('\n  ')}`)
  }
}
