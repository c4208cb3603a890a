import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { isCovered } from './test/support/coverage-dir.ts'
import { createMemoryFolder } from './test/support/memory-folder.ts'
import { SlowFirst } from './test/support/slow-first.ts'

const builtCommand = 'test/support/build-command.ts'
const bundledPrograms = 'test/support/bundle-programs.ts'
const bubblewrap = 'test/support/install-fence.ts'
/**
 * These tests mostly wait for processes, so two cores serve more than two files at once. Each worker loads the sources again, which takes a
 * second of processor time.
 */
const waitingWorkers = 4

/** The file for the CPU seconds of each test file. */
const isMeasured = process.env['OSTLER_TEST_CPU'] !== undefined
// A run starts many processes, which share their compiled code.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

/**
 * Watching needs Vite's graph of the modules. One run does not, and is faster if Node runs the sources as they are. Positions in its coverage
 * are positions in the sources, too.
 */
const isOneRun = process.argv.includes('run')
const native = { experimental: { viteModuleRunner: false } } as const

/** Not for the tests of blocks, which measure the time that the sources take. With a compile cache, V8 would not count blocks. */
const coverage = isCovered
  ? { setupFiles: ['test/support/cover-worker.ts'], env: { NODE_DISABLE_COMPILE_CACHE: '1' } }
  : { setupFiles: [] }

// Tests open hundreds of databases. In memory, none of them waits for a disk.
const memory = process.env['TMPDIR'] === undefined ? createMemoryFolder() : undefined
if (memory !== undefined) process.env['TMPDIR'] = memory

export default defineConfig({
  test: {
    setupFiles: isMeasured ? ['test/support/record-cpu.ts'] : [],
    ...(isOneRun && native),
    reporters: ['default', './test/support/count-reporter.ts'],
    // Enough for a process to start on a machine that is busy with other things.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    sequence: { sequencer: SlowFirst },
    // Each project states what it needs, and only those that start the command build it. Groups run one after the other. Where nothing is
    // isolated, one process runs many files, and loads the sources once.
    projects: [
      {
        extends: true,
        // Pure functions and files in temporary folders: no other process.
        test: {
          ...coverage,
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          ...coverage,
          name: 'library',
          include: ['test/{agent,fence,mcp,provider,service,faults,workspace}/*.test.ts'],
          globalSetup: [builtCommand, bundledPrograms, bubblewrap],
          isolate: false,
          maxWorkers: waitingWorkers,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          ...coverage,
          name: 'wire',
          include: ['test/acp/*.test.ts'],
          globalSetup: [builtCommand, bundledPrograms, bubblewrap],
          isolate: false,
          maxWorkers: waitingWorkers,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        // The command line, its servers and its documentation.
        test: {
          ...coverage,
          name: 'cli',
          include: ['test/{cli,console,docs,tour}/*.test.ts'],
          globalSetup: [builtCommand, bundledPrograms, bubblewrap],
          isolate: false,
          maxWorkers: waitingWorkers,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        // No input may block the event loop. Each file has a process of its own, so that it measures only its own work.
        test: {
          name: 'blocks',
          include: ['test/blocks/*.test.ts'],
          globalSetup: [builtCommand, bundledPrograms],
          maxWorkers: waitingWorkers,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          ...coverage,
          name: 'browser',
          include: [
            process.env['OSTLER_PICTURES'] === undefined
              ? 'test/console/browser/*.test.ts'
              : 'test/console/pictures/*.test.ts',
          ],
          globalSetup: [builtCommand, bundledPrograms, bubblewrap, 'test/support/install-chromium.ts'],
          setupFiles: [...coverage.setupFiles, 'test/console/support/skip-without-browser.ts'],
          // One browser serves many files.
          isolate: false,
          maxWorkers: 3,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
