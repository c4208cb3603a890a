import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build-command.ts', 'test/support/install-chromium.ts'],
    reporters: ['default', './test/support/count-reporter.ts'],
    // Most tests start real processes: time enough for a machine that is busy with other things.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
