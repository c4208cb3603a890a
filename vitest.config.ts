import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Most tests start real processes: time for a busy machine, and no more of them at once than it has cores.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
