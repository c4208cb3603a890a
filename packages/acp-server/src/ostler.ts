#!/usr/bin/env node
// The launcher: small, and in syntax that an old Node still reads, because its first task is to say that the Node is too old.
// A named import of something an old Node lacks would be a stack trace instead.
import fs from 'node:fs'
import nodeModule from 'node:module'
import path from 'node:path'
import { stateDirOf } from './state-dir.ts'

const nodeMin = { major: 22, minor: 16 }
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < nodeMin.major || (major === nodeMin.major && minor < nodeMin.minor)) {
  process.stderr.write(
    `ostler needs Node.js ${nodeMin.major}.${nodeMin.minor} or newer; this is ${process.versions.node} (${process.execPath}).\n`,
  )
  process.exitCode = 1
} else {
  const argv = process.argv.slice(2)
  keepConsoleOffStdout()
  quietExperiments()
  if (argv[0] === 'acp') enableCompileCache(argv)
  import('./cli.ts').then(
    async ({ runCli }) => {
      process.exitCode = await runCli(argv)
    },
    (error: unknown) => {
      process.stderr.write(`ostler could not start: ${String(error)}\n`)
      process.exitCode = 1
    },
  )
}

/** stdout belongs to the protocol, whatever a dependency thinks. */
function keepConsoleOffStdout(): void {
  for (const name of ['log', 'info', 'debug', 'dir', 'table', 'group', 'count', 'timeEnd', 'timeLog'] as const)
    console[name] = console.error
}

/** Node 22 calls its SQLite an experiment, on every run; that is nothing a person can do something about. */
function quietExperiments(): void {
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => {
    if (name !== 'ExperimentalWarning') process.stderr.write(`${name}: ${message}\n`)
  })
}

/** Compiled code is kept between runs, in a place that only this user can write to. Without such a place the start takes a little longer. */
function enableCompileCache(args: readonly string[]): void {
  const index = args.findIndex((arg) => arg === '--state-dir' || arg.startsWith('--state-dir='))
  const flag = index === -1 ? undefined : args[index]?.split('=').slice(1).join('=') || args[index + 1]
  const stateDir = stateDirOf(flag, process.env)
  if (stateDir === undefined) return
  try {
    const cacheDir = path.join(stateDir, 'compile-cache')
    makeDirectory(cacheDir)
    nodeModule.enableCompileCache(cacheDir)
  } catch {
    // A read-only home, say.
  }
}

/** Not `recursive`: where nothing can be created (under /proc, say) Node's own way of doing that never ends. */
function makeDirectory(directory: string): void {
  if (fs.existsSync(directory)) return
  makeDirectory(path.dirname(directory))
  fs.mkdirSync(directory, { mode: 0o700 })
}
