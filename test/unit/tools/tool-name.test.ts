import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeToolConfig } from '../../../packages/agent-api/src/policy/tool-config.ts'
import { defineTool } from '../../../packages/agent-api/src/tools/define-tool.ts'
import { createFindTools } from '../../../packages/agent-api/src/tools/find-tools.ts'
import type { OfferedTool } from '../../../packages/agent-api/src/tools/offered-tool.ts'
import type { ToolRef } from '../../../packages/agent-api/src/messages/tool.ts'
import { toWireNames } from '../../../packages/agent-api/src/tools/tool-name.ts'
import { createToolSearch } from '../../../packages/agent-api/src/tools/tool-search.ts'
import { createToolSet } from '../../../packages/agent-api/src/tools/tool-set.ts'
import { anyText } from '../../support/any-text.ts'

describe('toWireNames', () => {
  it.each([
    ['a server and its tool', { server: 'files', tool: 'read_text_file' }, 'files__read_text_file'],
    ['a local tool', { server: null, tool: 'read_file' }, 'read_file'],
    [
      'characters that no vendor takes',
      { server: 'my server', tool: 'get/customer.by-id' },
      'my_server__get_customer_by-id',
    ],
    ['a digit in front', { server: '1password', tool: 'list' }, '_1password__list'],
  ])('%s', (_, ref, name) => {
    expect(toWireNames([ref])).toEqual([name])
  })

  it('cuts a long name and marks it with a hash of the tool', () => {
    const [name] = toWireNames([
      { server: 'a-rather-long-server-name', tool: 'and_a_tool_name_that_goes_on_and_on_for_ever' },
    ])
    expect(name).toMatch(/^a-rather-long-server-name__and_a_tool_name_that_goes_on_[a-f0-9]{8}$/)
  })

  it('cuts the name of the server first', () => {
    const server = 'the-server-of-the-department-for-very-long-names-and-other-matters'
    expect(toWireNames([{ server, tool: 'get_customer' }])[0]).toMatch(
      /^the-server-of-the-department-for-very-lon__get_customer_[a-f0-9]{8}$/,
    )
    expect(toWireNames([{ server, tool: 'x'.repeat(90) }])[0]).toMatch(
      /^the-server-of-the-departm__x{28}_[a-f0-9]{8}$/,
    )
    expect(toWireNames([{ server: null, tool: 'x'.repeat(90) }])[0]).toMatch(/^x{55}_[a-f0-9]{8}$/)
  })

  it('distinguishes two tools with the same sanitized name, regardless of order', () => {
    const one = { server: 'a', tool: 'b c' }
    const two = { server: 'a', tool: 'b/c' }
    const [first, second] = toWireNames([one, two])
    expect(first).not.toBe(second)
    expect(toWireNames([two, one])).toEqual([second, first])
  })

  it('is not confused by a separator within a name', () => {
    const names = toWireNames([
      { server: 'a__b', tool: 'c' },
      { server: 'a', tool: 'b__c' },
    ])
    expect(new Set(names).size).toBe(2)
  })

  it('distinguishes a name from one that looks like its hash', () => {
    const two = [
      { server: 'a', tool: 'b c' },
      { server: 'a', tool: 'b/c' },
    ]
    const [first = ''] = toWireNames(two)
    const names = toWireNames([...two, { server: null, tool: first }])
    expect(new Set(names).size).toBe(3)
    expect(names[2]).toBe(first)
  })
})

/** Few characters, so that names fall together often; some are long enough to be cut. */
const word = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', '_', ' ', ':'), maxLength: 3 }),
  fc.constantFrom('a'.repeat(70), 'find_tools'),
  anyText({ maxLength: 200 }),
)

describe('createToolSet', () => {
  it('gives every tool of agent, session, module, editor and search a unique name that every vendor accepts', () => {
    const server = fc.record({ server: word, tool: word })
    const local = fc.record({ server: fc.constant(null), tool: word })
    const refs = (ref: fc.Arbitrary<ToolRef>) => fc.array(ref, { maxLength: 12 })
    fc.assert(
      fc.property(
        refs(server),
        refs(server),
        refs(local),
        refs(local),
        fc.boolean(),
        (agent, session, modules, editor, isSearched) => {
          const all = [...modules, ...editor, ...agent, ...session].map(toOffered)
          const finder = isSearched
            ? [
                createFindTools(
                  { hidden: all, offered: [] },
                  () => createToolSearch([]),
                  () => {},
                ),
              ]
            : []
          const offered = [...finder, ...all]
          const set = createToolSet(offered)
          expect(set.wireTools).toHaveLength(offered.length)
          expect(new Set(set.wireTools.map(({ name }) => set.find(name)))).toEqual(new Set(offered))
          for (const { name } of set.wireTools) expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/)
        },
      ),
    )
  })
})

function toOffered(ref: ToolRef): OfferedTool {
  const tool = defineTool({ name: ref.tool, description: '', execute: () => '' })
  return { tool: { ...tool, ref }, config: mergeToolConfig([]), home: { type: 'local' } }
}
