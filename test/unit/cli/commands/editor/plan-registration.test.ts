import { describe, expect, it } from 'vitest'
import { editors } from '../../../../../packages/cli/src/commands/editor/editors.ts'
import { planRegistration } from '../../../../../packages/cli/src/commands/editor/plan-registration.ts'

const commandLine = ['/opt/node', '/opt/ostler.js', 'acp'] as const

function plan(name: string, before: string | undefined): string {
  const editor = editors.find((each) => each.name === name)!
  return planRegistration({ target: editor.target, commandLine }, '/home/me/settings', before)
}

const entry = { type: 'custom', command: '/opt/node', args: ['/opt/ostler.js', 'acp'], env: {} }

describe('planRegistration', () => {
  it.each([
    ['a missing file', undefined],
    ['an empty file', ''],
    ['a file of spaces', ' \n'],
    ['an empty object', '{}'],
  ])('adds the agent to %s', (_, before) => {
    expect(JSON.parse(plan('zed', before))).toEqual({ agent_servers: { Ostler: entry } })
  })

  it('keeps comments, order, spacing and trailing commas', () => {
    const before = `// Zed settings
{
  "theme": "One Dark", // dark
  /* agents */
  "agent_servers": {
    // the other one
    "Other": { "type": "custom", "command": "other" },
  },
  "tab_size": 2,
}
`
    expect(plan('zed', before)).toBe(`// Zed settings
{
  "theme": "One Dark", // dark
  /* agents */
  "agent_servers": {
    // the other one
    "Other": { "type": "custom", "command": "other" },
    "Ostler": {
      "type": "custom",
      "command": "/opt/node",
      "args": [
        "/opt/ostler.js",
        "acp"
      ],
      "env": {}
    }
  },
  "tab_size": 2,
}
`)
  })

  it.each(['zed', 'jetbrains', 'vscode', 'neovim', 'emacs'])(
    'changes nothing the second time (%s)',
    (name) => {
      const once = plan(name, undefined)
      expect(plan(name, once)).toBe(once)
    },
  )

  it("updates the command, and keeps the person's own fields", () => {
    const before = `{ "agent_servers": { "Ostler": { "command": "/old/node", "args": ["/old.js", "acp"], "env": { "KEY": "k" }, "default_mode": "ask" } } }`
    expect(JSON.parse(plan('zed', before))).toEqual({
      agent_servers: { Ostler: { ...entry, env: { KEY: 'k' }, default_mode: 'ask' } },
    })
  })

  it("keeps the person's own settings of JetBrains, and adds them if they are missing", () => {
    const own = { use_custom_mcp: false }
    expect(JSON.parse(plan('jetbrains', JSON.stringify({ default_mcp_settings: own })))).toMatchObject({
      default_mcp_settings: own,
    })
    expect(JSON.parse(plan('jetbrains', '{}'))).toMatchObject({
      default_mcp_settings: { use_custom_mcp: true, use_idea_mcp: true },
    })
  })

  it('keeps line ends, a byte order mark and tabs', () => {
    const before = '\uFEFF{\r\n\t"editor.fontSize": 14\r\n}\r\n'
    const after = plan('vscode', before)
    expect(after.startsWith('\uFEFF{\r\n\t"editor.fontSize": 14,\r\n')).toBe(true)
    expect(after).not.toMatch(/(?<!\r)\n/)
    expect(JSON.parse(after.slice(1))).toMatchObject({
      'editor.fontSize': 14,
      'acp.agents': { Ostler: { command: '/opt/node' } },
    })
  })

  it.each([
    ['text that is not JSON', '{ "a": 1 "b": 2 }', /it is not JSON: line 1/],
    ['YAML', 'theme: dark\n', /it is not JSON/],
    ['half a file', '{ "agent_servers": {', /it is not JSON/],
    ['a list', '[]', /it is JSON, but not an object/],
    ['a text', '"x"', /it is JSON, but not an object/],
    ['agents of another kind', '{ "agent_servers": [] }', /its agent_servers is not an object/],
    [
      'an agent of another kind',
      '{ "agent_servers": { "Ostler": true } }',
      /its agent_servers.Ostler is not an object/,
    ],
    [
      'the same field twice',
      '{ "agent_servers": {}, "agent_servers": {} }',
      /it cannot be changed without changing other parts of it/,
    ],
  ])('refuses %s, and says what to do', (_, before, reason) => {
    expect(() => plan('zed', before)).toThrow(reason)
    expect(() => plan('zed', before)).toThrow(
      /^\/home\/me\/settings was not changed: .*\. Fix or move it, or name another file with --file\.$/,
    )
  })

  it.each(['neovim', 'emacs'])('replaces only a file of its own (%s)', (name) => {
    expect(() => plan(name, '-- mine\n')).toThrow(/it was not written by Ostler/)
  })
})
