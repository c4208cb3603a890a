import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { nameCollisions } from '../../../packages/agent-api/src/servers/name-collisions.ts'
import { admitLocalTools } from '../../../packages/agent-api/src/policy/local-tools.ts'
import { toAdmission, type AdmissionRequest } from '../../../packages/agent-api/src/servers/admission.ts'

const localSum = { ref: { server: null, tool: 'sum' } }

const request = (over: Partial<AdmissionRequest>): AdmissionRequest => ({
  server: 'customers',
  origin: 'http://localhost:8180/mcp',
  policy: { mode: 'strict' },
  offered: [],
  configured: [],
  ...over,
})

const dynamic = { mode: 'dynamic', defaultToolConfig: { maxInstances: 10, timeoutMs: 45_000 } } as const
const messages = (over: Partial<AdmissionRequest>, level?: string) =>
  toAdmission(request(over)).notes.flatMap((note) =>
    level === undefined || note.level === level ? [note.message] : [],
  )
const values = (over: Partial<AdmissionRequest>, tool = 'get_customer') => {
  const config = toAdmission(request(over)).tools.get(tool)
  return config && { maxInstances: config.maxInstances.value, timeoutMs: config.timeoutMs.value }
}

describe('a strict server', () => {
  it('registers every tool that is configured', () => {
    const { tools, violation } = toAdmission(
      request({ offered: ['a', 'b'], configured: [{ name: 'a' }, { name: 'b', maxInstances: 2 }] }),
    )
    expect([...tools.keys()]).toEqual(['a', 'b'])
    expect(violation).toBeUndefined()
  })

  it('stops the start for a tool that is not, with the documented message', () => {
    const { tools, violation } = toAdmission(
      request({
        offered: ['get_customer', 'drop_customer'],
        configured: [{ name: 'get_customer' }, { name: 'sum' }],
      }),
    )
    expect([...tools.keys()]).toEqual(['get_customer'])
    expect(violation?.message).toBe(
      `Tool 'drop_customer' from MCP server 'customers' is not configured in the toolbox.

MCP Server: customers
Mode: strict
Missing Tool: drop_customer

Configured tools: [get_customer, sum]

To resolve:
1. Add the tool to toolbox.tools in your configuration, OR
2. Change the MCP server mode to 'dynamic' and provide defaultToolConfig`,
    )
  })

  it('names several tools in one message, with entries to paste', () => {
    const { violation } = toAdmission(
      request({ offered: ['get_customer', 'drop_customer', 'yes'], configured: [{ name: 'get_customer' }] }),
    )
    expect(violation?.sentences).toHaveLength(2)
    expect(violation?.message)
      .toBe(`Tool 'drop_customer' from MCP server 'customers' is not configured in the toolbox.
Tool 'yes' from MCP server 'customers' is not configured in the toolbox.

MCP Server: customers
Mode: strict
Missing Tools: drop_customer, yes

Configured tools: [get_customer]

To resolve:
1. Add the tools to toolbox.tools in your configuration, OR
2. Change the MCP server mode to 'dynamic' and provide defaultToolConfig

Entries for toolbox.tools:
  - { name: "drop_customer", server: "customers" }
  - { name: "yes", server: "customers" }`)
    const pasted = violation?.message.split('Entries for toolbox.tools:')[1] ?? ''
    const configured = parseYaml(pasted) as AdmissionRequest['configured']
    expect(toAdmission(request({ offered: ['drop_customer', 'yes'], configured })).violation).toBeUndefined()
  })

  it('warns of a configured tool that is gone, and does not register it', () => {
    const over = { offered: [], before: new Set(['get_customer']), configured: [{ name: 'get_customer' }] }
    expect(toAdmission(request(over)).tools.size).toBe(0)
    expect(messages(over, 'warn')).toContain(
      "Tool 'get_customer' was configured but is no longer available from MCP server 'customers'",
    )
  })

  it('does not use its defaults', () => {
    const policy = { mode: 'strict', defaultToolConfig: { maxInstances: 10 } } as const
    expect(values({ policy, offered: ['get_customer'], configured: [{ name: 'get_customer' }] })).toEqual({
      maxInstances: 5,
      timeoutMs: 30_000,
    })
    expect(toAdmission(request({ policy, offered: ['other'] })).violation?.sentences).toHaveLength(1)
  })

  it('leaves out a tool that appears later, and warns, without stopping anything', () => {
    const over = { offered: ['a', 'late'], before: new Set(['a']), configured: [{ name: 'a' }] }
    const { tools, violation } = toAdmission(request(over))
    expect([...tools.keys()]).toEqual(['a'])
    expect(violation).toBeUndefined()
    expect(messages(over, 'warn')).toEqual([
      expect.stringContaining(
        "New tool 'late' discovered from MCP server 'customers' is not configured in the toolbox",
      ),
    ])
  })

  it('logs the registered tools at level debug', () => {
    expect(messages({ offered: ['a'], configured: [{ name: 'a', maxInstances: 2 }] }, 'debug')).toEqual([
      `Tool 'a' registered with explicit configuration: {"maxInstances":2,"timeoutMs":30000}`,
    ])
  })
})

describe('a dynamic server', () => {
  const policy = dynamic

  it('gives a tool that is not configured the default, and says so at info', () => {
    const over = { policy, offered: ['get_customer'] }
    expect(values(over)).toEqual({ maxInstances: 10, timeoutMs: 45_000 })
    expect(messages(over, 'info')).toEqual([
      "Tool 'get_customer' from MCP 'customers' not explicitly configured, using default configuration",
    ])
  })

  it('registers a tool that appears later with the default, and says so at info', () => {
    const over = { policy, offered: ['a', 'late'], before: new Set(['a']) }
    expect(values(over, 'late')).toEqual({ maxInstances: 10, timeoutMs: 45_000 })
    expect(messages(over, 'info')).toContain(
      "New tool 'late' discovered from MCP server 'customers', registering with default configuration",
    )
  })

  it('warns of a configured tool that is gone, and does not register it', () => {
    const over = {
      policy,
      offered: ['a'],
      before: new Set(['a', 'get_customer']),
      configured: [{ name: 'get_customer' }],
    }
    expect(toAdmission(request(over)).tools.has('get_customer')).toBe(false)
    expect(messages(over, 'warn')).toEqual([
      "Tool 'get_customer' was configured but is no longer available from MCP server 'customers'",
    ])
  })

  it('registers a hundred tools of which five are configured', () => {
    const offered = Array.from({ length: 100 }, (_, index) => `tool_${index}`)
    const configured = offered.slice(0, 5).map((name) => ({ name, maxInstances: 1 }))
    const { tools, violation } = toAdmission(request({ policy, offered, configured }))
    expect(violation).toBeUndefined()
    expect([...tools.values()].map((config) => config.maxInstances.value)).toEqual([
      ...Array(5).fill(1),
      ...Array(95).fill(10),
    ])
  })
})

describe('merging', () => {
  const policy = dynamic
  const offered = ['get_customer']

  it.each([
    [
      'every field explicit',
      [{ name: 'get_customer', maxInstances: 20, timeoutMs: 60_000 }],
      { maxInstances: 20, timeoutMs: 60_000 },
    ],
    [
      'some fields explicit',
      [{ name: 'get_customer', maxInstances: 20 }],
      { maxInstances: 20, timeoutMs: 45_000 },
    ],
    ['none', [], { maxInstances: 10, timeoutMs: 45_000 }],
    [
      'an entry for this server over one for all',
      [
        { name: 'get_customer', maxInstances: 1 },
        { name: 'get_customer', server: 'customers', maxInstances: 2 },
      ],
      { maxInstances: 2, timeoutMs: 45_000 },
    ],
    [
      'both entries, field by field',
      [
        { name: 'get_customer', timeoutMs: 1 },
        { name: 'get_customer', server: 'customers', maxInstances: 2 },
      ],
      { maxInstances: 2, timeoutMs: 1 },
    ],
    [
      'an entry for another server',
      [{ name: 'get_customer', server: 'others', maxInstances: 2 }],
      { maxInstances: 10, timeoutMs: 45_000 },
    ],
  ])('%s', (_, configured, expected) => {
    expect(values({ policy, offered, configured })).toEqual(expected)
  })

  it('says where each value came from', () => {
    const configured = [{ name: 'get_customer', maxInstances: 20 }]
    const config = toAdmission(
      request({ policy: { ...policy, include: 'agent' }, offered, configured }),
    ).tools.get('get_customer')
    expect(config).toEqual({
      maxInstances: { value: 20, source: 'toolbox.tools[0]' },
      timeoutMs: { value: 45_000, source: 'mcpServers.customers.defaultToolConfig' },
      include: { value: 'agent', source: 'mcpServers.customers.include' },
      approval: undefined,
    })
  })

  it('logs the merged settings at level debug', () => {
    const [message] = messages(
      { policy, offered, configured: [{ name: 'get_customer', maxInstances: 20 }] },
      'debug',
    )
    expect(message).toMatch(
      /^Tool 'get_customer' configuration merged: explicit=.*20.*, default=.*45000.*, final=\{"maxInstances":20,"timeoutMs":45000\}$/,
    )
  })
})

describe('the lists of a server', () => {
  const offered = ['get_customer', 'create_customer', 'delete_customer', 'drop']
  it.each([
    ['an allowlist', { toolAllowlist: ['get_customer', 'drop'] }, ['get_customer', 'drop']],
    ['an empty allowlist', { toolAllowlist: [] }, []],
    ['a denylist', { toolDenylist: ['delete_*'] }, ['get_customer', 'create_customer', 'drop']],
    [
      'both: the denylist comes first',
      { toolAllowlist: ['*_customer'], toolDenylist: ['delete_*'] },
      ['get_customer', 'create_customer'],
    ],
  ])('%s', (_, lists, admitted) => {
    expect([...toAdmission(request({ policy: { ...dynamic, ...lists }, offered })).tools.keys()]).toEqual(
      admitted,
    )
  })

  it('come before toolbox.tools, which is told of it, and keep a strict server from stopping the start', () => {
    const over = {
      policy: { mode: 'strict', toolDenylist: ['delete_*'] } as const,
      offered: ['delete_customer', 'delete_order'],
      configured: [{ name: 'delete_customer', server: 'customers' }],
    }
    const { tools, violation } = toAdmission(request(over))
    expect({ tools: [...tools.keys()], violation }).toEqual({ tools: [], violation: undefined })
    expect(messages(over, 'warn')).toEqual([
      "Tool 'delete_customer' of MCP server 'customers' is left out by toolDenylist",
    ])
    expect(messages(over, 'info')).toEqual([
      "Tool 'delete_order' of MCP server 'customers' is left out by toolDenylist",
    ])
    expect(messages({ ...over, before: new Set(over.offered) })).toEqual([])
  })

  it('that match nothing are warned about, with what was probably meant', () => {
    const policy = { ...dynamic, toolAllowlist: ['get_*', 'drop'], toolDenylist: ['delete_custmer', 'no_*'] }
    expect(messages({ policy, offered }, 'warn')).toEqual([
      "toolDenylist of MCP server 'customers' has 'delete_custmer', which matches none of its tools; did you mean 'delete_customer'?",
      "toolDenylist of MCP server 'customers' has 'no_*', which matches none of its tools",
    ])
  })
})

describe('the mode of a tool', () => {
  const offered = ['get_customer']
  it.each([
    [
      'strict on a dynamic server: only its entry counts',
      dynamic,
      { mode: 'strict', maxInstances: 2 },
      { maxInstances: 2, timeoutMs: 30_000 },
    ],
    [
      'dynamic on a strict server: the defaults count',
      { ...dynamic, mode: 'strict' },
      { mode: 'dynamic' },
      { maxInstances: 10, timeoutMs: 45_000 },
    ],
    ['without one, the server decides', dynamic, {}, { maxInstances: 10, timeoutMs: 45_000 }],
  ] as const)('%s', (_, policy, entry, expected) => {
    expect(values({ policy, offered, configured: [{ name: 'get_customer', ...entry }] })).toEqual(expected)
  })

  it('is that of the entry which names the server', () => {
    const configured = [
      { name: 'get_customer', mode: 'dynamic' },
      { name: 'get_customer', server: 'customers', mode: 'strict' },
    ] as const
    expect(values({ policy: dynamic, offered, configured })).toEqual({ maxInstances: 5, timeoutMs: 30_000 })
  })
})

describe('edge cases', () => {
  it.each(['strict', 'dynamic'] as const)(
    'a %s server without tools is warned about, with the documented message',
    (mode) => {
      const policy = mode === 'strict' ? { mode } : dynamic
      expect(messages({ policy })).toEqual([
        "MCP server 'customers' at http://localhost:8180/mcp returned no tools",
      ])
    },
  )

  it('a tool that is configured for a server and not offered is warned about', () => {
    const over = { policy: dynamic, offered: ['a'], configured: [{ name: 'b', server: 'customers' }] }
    expect(messages(over, 'warn')).toEqual([
      "Tool 'b' was configured but is no longer available from MCP server 'customers'",
    ])
  })

  it('a server that changes from strict to dynamic registers the tools that it refused', () => {
    const offered = ['get_customer', 'new_tool']
    const configured = [{ name: 'get_customer', maxInstances: 3 }]
    expect(toAdmission(request({ offered, configured })).violation?.sentences).toHaveLength(1)
    const { tools, violation } = toAdmission(request({ policy: dynamic, offered, configured }))
    expect(violation).toBeUndefined()
    expect([...tools].map(([name, config]) => [name, config.maxInstances.value])).toEqual([
      ['get_customer', 3],
      ['new_tool', 10],
    ])
  })

  it('one name on two servers is allowed, configured by one entry, and warned about', () => {
    const offers = new Map([
      ['a', ['get', 'only_a']],
      ['b', ['get']],
    ])
    expect(nameCollisions(offers)).toEqual([
      {
        servers: ['a', 'b'],
        message: "Tool 'get' is offered by 2 MCP servers (a, b); each is called by its server's name",
      },
    ])
    for (const server of ['a', 'b'])
      expect(
        values({ server, offered: ['get'], configured: [{ name: 'get', maxInstances: 1 }] }, 'get')
          ?.maxInstances,
      ).toBe(1)
  })

  it('servers that share many names are warned about once', () => {
    const tools = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    expect(
      nameCollisions(
        new Map([
          ['one', tools],
          ['two', tools],
          ['three', ['g']],
        ]),
      ),
    ).toEqual([
      {
        servers: ['one', 'two'],
        message:
          "Tools 'a', 'b', 'c', 'd', 'e' and 1 more are offered by 2 MCP servers (one, two); each is called by its server's name",
      },
      {
        servers: ['one', 'two', 'three'],
        message:
          "Tool 'g' is offered by 3 MCP servers (one, two, three); each is called by its server's name",
      },
    ])
  })

  it('a local tool and one of a server may have the same name: the entry without a server configures both', () => {
    const configured = [{ name: 'sum', maxInstances: 20 }]
    expect(admitLocalTools([localSum], configured).get('sum')?.maxInstances.value).toBe(20)
    expect(values({ offered: ['sum'], configured }, 'sum')?.maxInstances).toBe(20)
  })
})

describe('local tools are always strict', () => {
  it('configured: registered', () => {
    expect([...admitLocalTools([localSum], [{ name: 'sum', maxInstances: 20 }]).keys()]).toEqual(['sum'])
  })

  it.each([
    ['not configured', []],
    ['configured for a server only', [{ name: 'sum', server: 'customers' }]],
  ])('%s: stops the start', (_, configured) => {
    expect(() => admitLocalTools([localSum], configured)).toThrow(
      expect.objectContaining({
        code: 'agent.strict_violation',
        message: expect.stringMatching(/^Local tool 'sum' is not configured in the toolbox\.\n/),
      }),
    )
  })
})
