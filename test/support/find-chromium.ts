import { accessSync, constants } from 'node:fs'

/** Chromium without a window. A page in it takes a third of the time of the whole browser. */
const shells = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium-headless-shell']
const browsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]

/** Finds the browser of this machine. `OSTLER_TEST_CHROMIUM` names another; an empty value means none. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const named = env['OSTLER_TEST_CHROMIUM']
  return (named === undefined ? [...shells, ...browsers] : [named]).find(isExecutable)
}

export function isShell(path: string): boolean {
  return shells.includes(path)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return path !== ''
  } catch {
    return false
  }
}
