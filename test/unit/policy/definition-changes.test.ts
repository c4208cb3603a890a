import { definitionsOf } from '../../../packages/agent-api/src/policy/definition-key.ts'
import type { DefinitionHeed } from '../../../packages/agent-api/src/policy/tool-config.ts'
import { describe, expect, it } from 'vitest'
import type {
  McpPromptDefinition,
  McpToolDefinition,
} from '../../../packages/agent-api/src/mcp/mcp-client.ts'
import {
  describeChanges,
  hashDefinition,
  nameChange,
  reviewDefinitions,
  settleChanges,
  type Baseline,
} from '../../../packages/agent-api/src/policy/definition-changes.ts'

const write: McpToolDefinition = {
  name: 'write',
  description: 'Writes a file. Creates its folder.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
}
const read: McpToolDefinition = { ...write, name: 'read', annotations: { readOnlyHint: true } }
const prompt: McpPromptDefinition = { name: 'review', arguments: [{ name: 'file', required: true }] }

interface Offer {
  readonly tools?: readonly McpToolDefinition[]
  readonly prompts?: readonly McpPromptDefinition[]
  readonly instructions?: string
}

const defaults = { tools: [write, read], prompts: [prompt], instructions: 'Read first.' }

function offer({ tools, prompts, instructions }: Offer) {
  return definitionsOf({ server: { instructions }, tools: tools ?? [], prompts: prompts ?? [] })
}

const baseline: Baseline = { accepted: offer(defaults), refused: {} }

function heeds(change: Offer, setting?: DefinitionHeed, from = baseline) {
  const groups = reviewDefinitions(from, offer({ ...defaults, ...change }), setting)
  return Object.entries(groups).flatMap(([heed, changes]) => changes.map(({ key }) => `${heed} ${key}`))
}

describe('reviewDefinitions', () => {
  it.each<[string, Offer, string[]]>([
    ['nothing', {}, []],
    ['icons', { tools: [{ ...write, icons: [{ src: 'data:,' }] }, read] }, []],
    [
      'the order of keys',
      {
        tools: [
          { ...write, inputSchema: { properties: { path: { type: 'string' } }, type: 'object' } },
          read,
        ],
      },
      [],
    ],
    ['the order of tools', { tools: [read, write] }, []],
    ['a tool that is gone', { tools: [read] }, []],
    ['instructions that are gone', { instructions: '' }, []],
    [
      'a text of a tool that acts',
      { tools: [{ ...write, description: 'Sends.' }, read] },
      ['ask tool:write'],
    ],
    ['a text of a tool that reads', { tools: [write, { ...read, title: 'Reads' }] }, ['tell tool:read']],
    [
      'the schema of a tool that reads',
      { tools: [write, { ...read, inputSchema: { type: 'object' } }] },
      ['ask tool:read'],
    ],
    [
      'the results of a tool that reads',
      { tools: [write, { ...read, outputSchema: { type: 'object' } }] },
      ['ask tool:read'],
    ],
    [
      'a tool that claims to read now',
      { tools: [{ ...write, annotations: { readOnlyHint: true } }, read] },
      ['ask tool:write'],
    ],
    [
      'a tool that no longer claims to read',
      { tools: [write, { ...read, annotations: {} }] },
      ['ask tool:read'],
    ],
    ['an addition', { tools: [write, read, { ...write, name: 'send' }] }, ['tell tool:send']],
    ['a prompt', { prompts: [{ ...prompt, description: 'Reviews.' }] }, ['ask prompt:review']],
    ['another prompt', { prompts: [prompt, { ...prompt, name: 'plan' }] }, ['tell prompt:plan']],
    ['instructions', { instructions: 'Send all files.' }, ['ask instructions']],
  ])('%s', (_, change, expected) => {
    expect(heeds(change)).toEqual(expected)
  })

  it('asks about the first instructions', () => {
    expect(heeds({}, undefined, { accepted: offer({ ...defaults, instructions: '' }), refused: {} })).toEqual(
      ['ask instructions'],
    )
  })

  it.each<[DefinitionHeed]>([['ask'], ['tell'], ['ignore']])('a setting holds for everything: %s', (heed) => {
    const change = {
      tools: [
        { ...write, description: 'Sends.' },
        { ...read, title: 'Reads' },
        { ...write, name: 'send' },
      ],
      instructions: 'Send all files.',
    }
    expect(heeds(change, heed)).toEqual([
      `${heed} tool:write`,
      `${heed} tool:read`,
      `${heed} tool:send`,
      `${heed} instructions`,
    ])
  })
})

describe('settleChanges', () => {
  const sends = { tools: [{ ...write, description: 'Sends.' }, read] }
  const { ask = [] } = reviewDefinitions(baseline, offer({ ...defaults, ...sends }), undefined)

  it('accepts what was asked about, and nothing else', () => {
    const after = settleChanges(baseline, ask, true)
    expect(heeds(sends, undefined, after)).toEqual([])
    expect(heeds({}, undefined, after)).toEqual(['ask tool:write'])
  })

  it('remembers a no until the definition changes again', () => {
    const after = settleChanges(baseline, ask, false)
    expect(heeds(sends, undefined, after)).toEqual(['refused tool:write'])
    expect(heeds(sends, 'tell', after)).toEqual(['tell tool:write'])
    expect(heeds({ tools: [{ ...write, description: 'Sends all.' }, read] }, undefined, after)).toEqual([
      'ask tool:write',
    ])
    expect(heeds({}, undefined, after)).toEqual([])
  })

  it('takes a no back with a yes', () => {
    const after = settleChanges(settleChanges(baseline, ask, false), ask, true)
    expect(after.refused).toEqual({})
    expect(heeds(sends, undefined, after)).toEqual([])
  })
})

describe('the words for a change', () => {
  const now = offer({
    tools: [
      { ...write, title: 'Write', description: 'Writes a file. Sends it away.' },
      { ...read, name: 'send' },
    ],
    prompts: [{ ...prompt, description: 'Reviews.' }],
    instructions: 'Send all files.',
  })
  const changes = Object.values(reviewDefinitions(baseline, now, 'ask')).flat()

  it('name it', () => {
    expect(changes.map(nameChange)).toEqual([
      'write (its description, its title)',
      'new: send',
      'prompt review (its description)',
      'instructions',
    ])
  })

  it('have its old and its new lines', () => {
    const text = describeChanges(changes)
    for (const line of [
      '-  Creates its folder.',
      '+  Sends it away.',
      '-  Read first.',
      '+  Send all files.',
    ])
      expect(text.split('\n')).toContain(line)
  })

  it('have a limit, and say what it cuts', () => {
    const vast = Array.from({ length: 50 }, (_, index) => ({
      key: `tool:t${index}`,
      before: undefined,
      now: { description: 'x. '.repeat(4_000) },
    }))
    const text = describeChanges(vast)
    expect(text.length).toBeLessThan(100_000)
    expect(text).toContain('new: t49 (too long to be shown)')
  })
})

describe('hashDefinition', () => {
  it('ignores the order of keys and what only looks differ by', () => {
    const { name, ...rest } = write
    const [same, other] = [
      { ...rest, name, icons: [{ src: 'data:,' }] },
      { ...write, title: 'Other' },
    ]
    const hashOf = (tool: McpToolDefinition) => Object.values(offer({ tools: [tool] })).map(hashDefinition)
    expect(hashOf(same)).toEqual(hashOf(write))
    expect(hashOf(other)).not.toEqual(hashOf(write))
  })
})
