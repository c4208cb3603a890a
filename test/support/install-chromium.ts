import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { findChromium, isShell } from './find-chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Undefined if there is no browser. Tests in a browser are then skipped. */
    readonly chromium: string | undefined
  }
}

const aptGet = '/usr/bin/apt-get'

/** Time limits per step: downloads are slow on a slow line, and fail on their own without one. */
const steps = [
  { args: ['update'], minutes: 1 },
  {
    args: ['install', '-y', '--no-install-recommends', '--download-only', 'chromium-headless-shell'],
    minutes: 5,
  },
  { args: ['install', '-y', '--no-install-recommends', 'chromium-headless-shell'], minutes: 3 },
]
const noWaiting = [
  '-q',
  '-o',
  'Acquire::Retries=1',
  '-o',
  'Acquire::http::Timeout=20',
  '-o',
  'DPkg::Lock::Timeout=30',
]

/** Installs a browser before the browser tests, or reports why that is impossible. A whole browser is used where there is no shell of it. */
export default function installChromium(project: TestProject): void {
  const problem = findChromium() === undefined ? install() : undefined
  const chromium = findChromium()
  project.provide('chromium', chromium)
  if (chromium === undefined) say(`the tests in a browser are skipped: ${problem ?? 'Chromium is not there'}`)
  else if (!isShell(chromium))
    say(`the tests in a browser take three times as long in ${chromium} as in chromium-headless-shell`)
}

/** Returns the problem, if any. */
function install(): string | undefined {
  const { OSTLER_TEST_CHROMIUM: named } = process.env
  if (named !== undefined)
    return named === ''
      ? 'OSTLER_TEST_CHROMIUM is empty'
      : `OSTLER_TEST_CHROMIUM is ${named}, which cannot be run`
  const byHand = 'Install Chromium, or name a browser of its kind in OSTLER_TEST_CHROMIUM.'
  if (!existsSync(aptGet)) return `there is no Chromium, and no apt-get to install it with. ${byHand}`
  if (process.getuid?.() !== 0) return `there is no Chromium, and only root can install it. ${byHand}`
  say('there is no Chromium: apt-get installs it')
  for (const { args, minutes } of steps) {
    say(`apt-get ${args.join(' ')} (${minutes} min at most)`)
    const { status, signal } = spawnSync(aptGet, [...noWaiting, ...args], {
      stdio: ['ignore', 2, 2],
      timeout: minutes * 60_000,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    if (status !== 0) return `apt-get ${args[0]} ${signal === null ? 'failed' : 'took too long'}. ${byHand}`
  }
  return undefined
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
