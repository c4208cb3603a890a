/** Tools with the same name on several servers. They remain callable by their server's name. */
export interface NameCollision {
  readonly servers: readonly string[]
  readonly message: string
}

const namesShownMax = 5

/** Returns one collision per group of servers, because two servers of the same kind share many names. */
export function nameCollisions(offers: ReadonlyMap<string, Iterable<string>>): NameCollision[] {
  const serversByTool = new Map<string, string[]>()
  for (const [server, tools] of offers) for (const tool of tools) serversByTool.set(tool, [...(serversByTool.get(tool) ?? []), server])
  const shared = [...serversByTool].filter(([, servers]) => servers.length > 1)
  return [...Map.groupBy(shared, ([, servers]) => JSON.stringify(servers)).values()].map((group) => {
    const servers = group[0]?.[1] ?? []
    const tools = group.map(([tool]) => `'${tool}'`)
    const rest = tools.length > namesShownMax ? ` and ${tools.length - namesShownMax} more` : ''
    const subject = tools.length === 1 ? `Tool ${tools[0]} is` : `Tools ${tools.slice(0, namesShownMax).join(', ')}${rest} are`
    return {
      servers,
      message: `${subject} offered by ${servers.length} MCP servers (${servers.join(', ')}); each is called by its server's name`,
    }
  })
}
