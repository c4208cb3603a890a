#!/usr/bin/env node
// The launcher. Small and in syntax that an old Node can parse, because it first checks Node's version. A named import of something that an
// old Node lacks would fail with a stack trace instead.
import fs from 'node:fs'
import nodeModule from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeDirectory, stateDirOf } from './state/state-dir.ts'

const nodeMin = { major: 22, minor: 16 }
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < nodeMin.major || (major === nodeMin.major && minor < nodeMin.minor)) {
  process.stderr.write(
    `ostler needs Node.js ${nodeMin.major}.${nodeMin.minor} or newer; this is ${process.versions.node} (${process.execPath}).\n${hint()}`,
  )
  process.exitCode = 1
} else {
  const argv = process.argv.slice(2)
  keepConsoleOffStdout()
  quietExperiments()
  if (['acp', 'run', 'chat'].includes(argv[0] ?? '')) enableCompileCache(argv)
  import('./run-process.ts').then(
    async ({ runProcess }) => {
      process.exitCode = await runProcess(argv)
    },
    (error: unknown) => {
      process.stderr.write(`ostler could not start: ${String(error)}\n`)
      process.exitCode = 1
    },
  )
}

/** A workspace contains its own Node. */
function hint(): string {
  const workspace = fileURLToPath(new URL('../../..', import.meta.url))
  const node = path.join(workspace, 'node_modules', '.bin', 'node')
  if (!fs.existsSync(node)) return ''
  return `A suitable version is next to it: ${node} ${process.argv[1]}\n\`npx -y pnpm@12.18.0 run link:command\` in ${workspace} puts a command on your PATH that uses it.\n`
}

/** stdout belongs to the protocol, so output of dependencies goes to stderr. */
function keepConsoleOffStdout(): void {
  for (const name of [
    'log',
    'info',
    'debug',
    'dir',
    'table',
    'group',
    'count',
    'timeEnd',
    'timeLog',
  ] as const)
    console[name] = console.error
}

/** Suppresses Node 22's warning about SQLite, which a person cannot do anything about. */
function quietExperiments(): void {
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => {
    if (name !== 'ExperimentalWarning') process.stderr.write(`${name}: ${message}\n`)
  })
}

/** Keeps compiled code between runs, in a private directory. Without one, the start takes slightly longer. */
function enableCompileCache(args: readonly string[]): void {
  const index = args.findIndex((arg) => arg === '--state-dir' || arg.startsWith('--state-dir='))
  const flag = index === -1 ? undefined : args[index]?.split('=').slice(1).join('=') || args[index + 1]
  const stateDir = stateDirOf(flag, process.env)
  if (stateDir === undefined) return
  try {
    const cacheDir = path.join(stateDir, 'compile-cache')
    makeDirectory(cacheDir)
    // These files run as this user, so nobody else may change them.
    const isOwn = ({ uid, mode }: fs.Stats) =>
      process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
    if (![stateDir, cacheDir].every((directory) => isOwn(fs.statSync(directory)))) return
    nodeModule.enableCompileCache(cacheDir)
  } catch {
    // For example, a read-only home directory.
  }
}
