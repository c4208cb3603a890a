import { describe, expect, it } from 'vitest'
import { findServer, namedServerPath, serverPath } from '../../../packages/console/src/page/route.ts'
import { toCallCommand, toShellWord } from '../../../packages/console/src/page/text/call-command.ts'
import { toLogLines } from '../../../packages/console/src/page/text/log-lines.ts'
import { toHttps } from '../../../packages/console/src/page/text/to-openable.ts'
import { expandTemplate, templateVariables } from '../../../packages/console/src/page/text/uri-template.ts'

describe('the address of a server', () => {
  const own = { id: 'file:a/b', name: 'a/b', shadowed: false }
  const shadowed = { id: '7f', name: 'a/b', shadowed: true }

  it('has its name, and its ID if another server has the same name', () => {
    expect(serverPath(own, 'log')).toBe('/servers/a%2Fb/log')
    expect(serverPath(own, 'tools', { tool: 'x y' })).toBe('/servers/a%2Fb?tool=x+y')
    expect(serverPath(shadowed)).toBe('/servers/7f')
    expect(namedServerPath('..', 'about')).toBe('/servers/../about')
  })

  it.each([
    ['a/b', own],
    ['file:a/b', own],
    ['7f', shadowed],
    ['nobody', undefined],
  ])('%s is found', (wanted, found) => expect(findServer([shadowed, own], wanted)).toBe(found))
})

describe('a call as a command', () => {
  it.each([
    ['plain-1.0', 'plain-1.0'],
    ['', "''"],
    ['two words', "'two words'"],
    ["it's", String.raw`'it'\''s'`],
    ['$(rm -rf ~)', "'$(rm -rf ~)'"],
    ['=ls', "'=ls'"],
    ['~', "'~'"],
    ['#', "'#'"],
    ['*', "'*'"],
  ])('%s is quoted as %s', (word, quoted) => expect(toShellWord(word)).toBe(quoted))

  it('names the server, the tool and the arguments, without control characters', () => {
    const call = {
      server: 'files',
      tool: 'write',
      flags: ['--agent', '/a b.yaml'],
      arguments: { text: "it's\n\u009bnew", to: 'é' },
    }
    expect(toCallCommand(call)).toBe(
      String.raw`ostler mcp call --agent '/a b.yaml' files write '{"text":"it'\''s\n\u009bnew","to":"\u00e9"}'`,
    )
    expect(toCallCommand({ ...call, tool: '-x', flags: [], arguments: {} })).toBe(
      'ostler mcp call -- files -x',
    )
  })
})

describe('a resource template', () => {
  it.each([
    ['diary://{day}', { day: 'a b/c' }, 'diary://a%20b%2Fc'],
    ['file:///{+path}', { path: 'a b/c' }, 'file:///a%20b/c'],
    ['x://{a,b}', { a: '1', b: '2' }, 'x://1,2'],
    ['x:/{/a,b}', { a: '1', b: '2' }, 'x://1/2'],
    ['x://q{?a,b}', { b: '&' }, 'x://q?b=%26'],
    ['x://q?a=1{&b*}', { b: '2' }, 'x://q?a=1&b=2'],
    ['x://{a:3}', { a: 'abc' }, 'x://abc'],
    ['x://{toString}', {}, 'x://'],
  ])('%s with %j', (template, values, uri) => expect(expandTemplate(template, values)).toBe(uri))

  it('lists its variables once', () =>
    expect(templateVariables('x://{a}/{b,a}{?c*}')).toEqual(['a', 'b', 'c']))
})

describe('a link to another site', () => {
  it.each([
    ['https://example.com/a', 'https://example.com/a'],
    ['https://EXÄMPLE.com', 'https://xn--exmple-cua.com/'],
    ['http://example.com/', undefined],
    ['javascript:alert(1)', undefined],
    ['file:///etc/passwd', undefined],
    ['https://good.example@evil.example/', undefined],
    ['https://example.com/\u202egnp', undefined],
    ['//example.com', undefined],
  ])('%s is %s', (text, href) => expect(toHttps(text)).toBe(href))
})

describe('the log', () => {
  it('has log messages and stderr output in the order in which they came', () => {
    const at = (second: number) => new Date(2026, 0, 2, 3, 4, second).toISOString()
    const lines = toLogLines({
      entries: [
        { at: at(1), level: 'error', logger: 'db', text: 'first' },
        { at: at(3), level: 'warning', text: 'third' },
      ],
      stderr: [
        { at: at(2), text: 'second' },
        { at: at(4), text: 'fourth' },
      ],
    })
    expect(lines.map((line) => line.replace(/^.*03:04:/, ''))).toEqual([
      '01 error db: first',
      '02 stderr: second',
      '03 warning: third',
      '04 stderr: fourth',
    ])
  })
})
