import { configDefaults, defineConfig } from 'vitest/config'

const unitTests = 'test/unit/**/*.test.ts'
const browserTests = 'test/console/browser/**/*.test.ts'

export default defineConfig({
  test: {
    // Both look at the files of the run first: unit tests alone need no command and no browser.
    globalSetup: ['test/support/build-command.ts', 'test/support/install-chromium.ts'],
    setupFiles: process.env['NODE_V8_COVERAGE'] === undefined ? [] : ['test/support/take-coverage.ts'],
    reporters: ['default', './test/support/count-reporter.ts'],
    // Most tests start real processes: time enough for a machine that is busy with other things.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // The groups run one after the other, so that each has its own number of workers.
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: [unitTests], isolate: false, maxWorkers: 2, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        // These mostly wait for processes, so two cores can serve more than two files at once.
        test: {
          name: 'process',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, unitTests, browserTests],
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: 'browser', include: [browserTests], maxWorkers: 2, sequence: { groupOrder: 2 } },
      },
    ],
  },
})
