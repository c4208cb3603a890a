import { expect, it } from 'vitest'
import { hostPattern } from '../../../../packages/agent-api/src/fence/fence.ts'
import {
  judgeHost,
  parseTarget,
  shownHost,
  type HostVerdict,
} from '../../../../packages/agent-api/src/fence/network/host-rules.ts'

it.each<[string, string | undefined]>([
  ['api.example.com:443', 'api.example.com'],
  ['API.Example.COM.:443', 'api.example.com'],
  ['example.com', 'example.com'],
  ['example.com:8443', 'example.com:8443'],
  ['bücher.example:443', 'xn--bcher-kva.example'],
  ['[2606:4700::1111]:443', '[2606:4700::1111]'],
  ['0x7f.1:443', '127.0.0.1'],
  ['2130706433:443', '127.0.0.1'],
  ['user@example.com:443', undefined],
  ['example.com:443/path', undefined],
  ['example.com:443?query', undefined],
  ['example.com:443#part', undefined],
  ['example.com\\path:443', undefined],
  ['example.com:99999', undefined],
  ['', undefined],
])('%j stands for %j', (authority, shown) => {
  const target = parseTarget(authority)
  expect(target && shownHost(target)).toBe(shown)
})

it.each<[string, boolean]>([
  ['api.example.com', true],
  ['*.example.com', true],
  ['*', true],
  ['*:8080', true],
  ['localhost:5432', true],
  ['[::1]:8080', true],
  ['10.0.0.7', true],
  ['example.com:0x50', false],
  ['*example.com', false],
  ['api.*.com', false],
  ['bücher.example', true],
  ['**', false],
  ['https://example.com', false],
  ['example.com/path', false],
  ['user@example.com', false],
  ['', false],
])('%j is a pattern for hosts: %j', (text, expected) => {
  expect(hostPattern.test(text)).toBe(expected)
})

it.each<[readonly string[], string, HostVerdict]>([
  [[], 'api.example.com:443', 'unknown'],
  [[], 'api.example.com:80', 'unknown'],
  [[], 'api.example.com:22', 'refused'],
  [[], '8.8.8.8:443', 'unknown'],
  [[], '8.8.8.8:53', 'refused'],
  [['api.example.com'], 'api.example.com:443', 'named'],
  [['API.example.com'], 'api.EXAMPLE.com:443', 'named'],
  [['api.example.com'], 'api.example.com:8443', 'refused'],
  [['api.example.com:8443'], 'api.example.com:8443', 'named'],
  [['api.example.com:8443'], 'api.example.com:443', 'unknown'],
  [['api.example.com'], 'evil-api.example.com:443', 'unknown'],
  [['api.example.com'], 'api.example.com.evil.test:443', 'unknown'],
  [['*.example.com'], 'api.example.com:443', 'matched'],
  [['*.example.com'], 'a.b.example.com:443', 'matched'],
  [['*.example.com'], 'example.com:443', 'unknown'],
  [['*.example.com'], 'evilexample.com:443', 'unknown'],
  [['*.0.0.1'], '127.0.0.1:80', 'refused'],
  [['*.*'], 'api.example.com:443', 'unknown'],
  [['.'], 'api.example.com:443', 'unknown'],
  [['Bücher.example'], 'xn--bcher-kva.example:443', 'named'],
  [['*.example.com:8443'], 'api.example.com:8443', 'matched'],
  [['*'], 'api.example.com:443', 'matched'],
  [['*'], 'api.example.com:22', 'refused'],
  [['*:22'], 'api.example.com:22', 'matched'],
  // This machine and private networks: only if exactly they are named.
  [['*'], 'localhost:80', 'refused'],
  [['*'], 'db.localhost:80', 'refused'],
  [['*.localhost'], 'db.localhost:80', 'refused'],
  [[], '127.0.0.1:80', 'refused'],
  [[], '127.1:80', 'refused'],
  [[], '169.254.169.254:80', 'refused'],
  [[], '10.0.0.7:443', 'refused'],
  [[], '[::1]:80', 'refused'],
  [[], '[::ffff:127.0.0.1]:80', 'refused'],
  [[], '[fd00::1]:80', 'refused'],
  [['localhost:5432'], 'localhost:5432', 'named'],
  [['localhost:5432'], 'localhost:80', 'refused'],
  [['169.254.169.254'], '169.254.169.254:80', 'named'],
  [['[::1]:8080'], '[::1]:8080', 'named'],
])('with %j, %s is %s', (patterns, authority, verdict) => {
  const target = parseTarget(authority)
  expect(target && judgeHost(patterns, target)).toBe(verdict)
})
