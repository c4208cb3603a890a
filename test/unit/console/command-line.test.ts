import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatArguments, parseArguments } from '../../../packages/console/src/page/text/argument-lines.ts'
import { toCommandLine } from '../../../packages/console/src/page/text/command-line.ts'

describe('the command line on a card', () => {
  it('separates its words', () => {
    expect(toCommandLine({ type: 'stdio', command: 'npx', args: ['-y', '@x/y@1', 'a b', "it's", ''] })).toBe(
      String.raw`npx -y @x/y@1 'a b' 'it'\''s' ''`,
    )
  })

  it('shows at most the last four characters of secrets', () => {
    const secrets = [{ name: 'args.0', set: true, lastFour: '9abc' }]
    expect(
      toCommandLine(
        { type: 'stdio', command: 'x', args: ['--key=${secret:args.0}', '${secret:args.1}'] },
        secrets,
      ),
    ).toBe('x --key=••••9abc ••••')
    expect(toCommandLine({ type: 'http', url: 'https://h/${secret:url.path}' })).toBe('https://h/••••')
  })

  it('shows references to variables as written', () => {
    expect(toCommandLine({ type: 'stdio', command: '${HOME}/bin/x', args: ['${secret:-y}'] })).toBe(
      '${HOME}/bin/x ${secret:-y}',
    )
  })
})

describe('arguments in a text field', () => {
  it.each([
    ['', []],
    ['-y\n  name \n', ['-y', 'name']],
    ['[not json', ['[not json']],
    ['["a b", ""]', ['a b', '']],
  ])('%j are %j', (text, args) => expect(parseArguments(text)).toEqual(args))

  it('hide nothing', () => {
    const text = formatArguments(['plain', 'gnp.\u202eexe'])
    expect(text).toContain('"gnp.\\u202eexe"')
    expect(parseArguments(text)).toEqual(['plain', 'gnp.\u202eexe'])
  })

  it('survive a round trip', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (args) => {
        expect(parseArguments(formatArguments(args))).toEqual(args)
      }),
    )
  })
})
