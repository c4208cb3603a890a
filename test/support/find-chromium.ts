import { accessSync, constants } from 'node:fs'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable']

/** Finds the browser of this machine. `OSTLER_TEST_CHROMIUM` names another; an empty value means none. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const named = env['OSTLER_TEST_CHROMIUM']
  return (named === undefined ? places : [named]).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return path !== ''
  } catch {
    return false
  }
}
