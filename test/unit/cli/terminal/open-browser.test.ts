import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { browserCommand, openBrowser } from '../../../../packages/cli/src/terminal/open-browser.ts'
import { makeFifo } from '../../../support/make-fifo.ts'
import { openTempDir } from '../../../support/temp-dir.ts'

test.each([
  ['darwin', {}, ['open']],
  ['win32', {}, ['rundll32', 'url.dll,FileProtocolHandler']],
  ['linux', { DISPLAY: ':0' }, ['xdg-open']],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, ['xdg-open']],
  ['linux', { DISPLAY: '' }, undefined],
  ['linux', {}, undefined],
] as const)('on %s with %j', (platform, env, expected) => {
  expect(browserCommand(env, platform)).toEqual(expected)
})

test('the browser receives the address unchanged', async () => {
  await using dir = await openTempDir()
  const said = join(dir.path, 'said')
  makeFifo(said)
  const program = join(dir.path, 'xdg-open')
  await writeFile(program, '#!/bin/sh\necho "$#" "$1" > "$SAID"\n')
  await chmod(program, 0o755)
  const url = 'http://127.0.0.1:1/?a=$(b)&c=d e'
  openBrowser(url, { DISPLAY: ':0', PATH: `${dir.path}:/bin`, SAID: said }, 'linux')
  expect(await readFile(said, 'utf8')).toBe(`1 ${url}\n`)
})
