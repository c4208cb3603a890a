import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toWireNames } from '../../../packages/agent-api/src/tools/tool-name.ts'

describe('toWireNames', () => {
  it.each([
    ['a server and its tool', { server: 'files', tool: 'read_text_file' }, 'files__read_text_file'],
    ['a local tool', { server: null, tool: 'read_file' }, 'read_file'],
    ['characters that no vendor takes', { server: 'my server', tool: 'get/customer.by-id' }, 'my_server__get_customer_by-id'],
    ['a digit in front', { server: '1password', tool: 'list' }, '_1password__list'],
  ])('%s', (_, ref, name) => {
    expect(toWireNames([ref])).toEqual([name])
  })

  it('cuts a long name and marks it with a hash of the tool', () => {
    const [name] = toWireNames([{ server: 'a-rather-long-server-name', tool: 'and_a_tool_name_that_goes_on_and_on_for_ever' }])
    expect(name).toMatch(/^a-rather-long-server-name__and_a_tool_name_that_goes_on_[a-f0-9]{8}$/)
  })

  it('tells two tools apart whose names fall together, whatever their order', () => {
    const one = { server: 'a', tool: 'b c' }
    const two = { server: 'a', tool: 'b/c' }
    const [first, second] = toWireNames([one, two])
    expect(first).not.toBe(second)
    expect(toWireNames([two, one])).toEqual([second, first])
  })

  it('is not fooled by a separator inside a name', () => {
    const names = toWireNames([
      { server: 'a__b', tool: 'c' },
      { server: 'a', tool: 'b__c' },
    ])
    expect(new Set(names).size).toBe(2)
  })

  it('gives every tool one name that every vendor takes', () => {
    const ref = fc.record({
      server: fc.option(fc.string({ unit: 'binary', maxLength: 80 })),
      tool: fc.string({ unit: 'binary', maxLength: 200 }),
    })
    fc.assert(
      fc.property(fc.uniqueArray(ref, { selector: (value) => JSON.stringify(value), maxLength: 30 }), (refs) => {
        const names = toWireNames(refs)
        expect(new Set(names).size).toBe(refs.length)
        for (const name of names) expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/)
      }),
    )
  })
})
