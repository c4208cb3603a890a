import type { TestProject } from 'vitest/node'
import { findChromium, isShell } from './find-chromium.ts'
import { installPackage, say } from './install-package.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Undefined if there is no browser. Tests in a browser are then skipped. */
    readonly chromium: string | undefined
  }
}

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
  const problem = installPackage('Chromium', 'chromium-headless-shell')
  return problem && `${problem}. Install Chromium, or name a browser of its kind in OSTLER_TEST_CHROMIUM.`
}
