import { spawn } from 'node:child_process'
import { platform } from 'node:os'
import type { Environment } from './io.ts'

/**
 * Opens a URL in the browser, without a shell. The URL begins with `http`, so it cannot be taken for an option. Without a browser, the
 * person still has the URL.
 */
export function openBrowser(url: string, env: Environment, os: NodeJS.Platform = platform()): void {
  const command = browserCommand(env, os)
  if (command === undefined) return
  const [program = '', ...args] = command
  const child = spawn(program, [...args, url], {
    stdio: 'ignore',
    detached: true,
    env: { ...env },
    windowsHide: true,
  })
  child.on('error', () => undefined)
  child.unref()
}

/** Undefined if there is no display. */
export function browserCommand(env: Environment, os: NodeJS.Platform): readonly string[] | undefined {
  switch (os) {
    case 'darwin':
      return ['open']
    case 'win32':
      return ['rundll32', 'url.dll,FileProtocolHandler']
    default:
      return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open'] : undefined
  }
}
