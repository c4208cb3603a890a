import { spawn } from 'node:child_process'

type Environment = Readonly<Record<string, string | undefined>>

/** Shows an address that begins with `http`: it cannot be taken for an option. Never through a shell; where there is no browser, the person has the address. */
export function openBrowser(url: string, env: Environment, platform: NodeJS.Platform = process.platform): void {
  const command = browserCommand(env, platform)
  if (command === undefined) return
  const [program = '', ...args] = command
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true, env: { ...env }, windowsHide: true })
  child.on('error', () => undefined)
  child.unref()
}

/** Undefined where nobody would see it. */
export function browserCommand(env: Environment, platform: NodeJS.Platform): readonly string[] | undefined {
  switch (platform) {
    case 'darwin':
      return ['open']
    case 'win32':
      return ['rundll32', 'url.dll,FileProtocolHandler']
    default:
      return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open'] : undefined
  }
}
