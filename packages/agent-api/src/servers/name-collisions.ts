/** Tools with the same name on several servers. They remain callable by their server's name. */
export interface NameCollision {
  readonly servers: readonly string[]
  readonly message: string
}

const namesShownMax = 5

/** Returns one collision per group of servers, because two servers of the same kind share many names. */
export function nameCollisions(offers: ReadonlyMap<string, Iterable<string>>): NameCollision[] {
  const all = [...offers].flatMap(([server, tools]) => [...tools].map((tool) => ({ server, tool })))
  const shared = [...Map.groupBy(all, ({ tool }) => tool).values()].filter((offered) => offered.length > 1)
  const serversOf = (offered: typeof all = []) => offered.map(({ server }) => server)
  return [...Map.groupBy(shared, (offered) => JSON.stringify(serversOf(offered))).values()].map((group) => {
    const servers = serversOf(group[0])
    const tools = group.map(([first]) => `'${first?.tool}'`)
    const rest = tools.length > namesShownMax ? ` and ${tools.length - namesShownMax} more` : ''
    const subject =
      tools.length === 1
        ? `Tool ${tools[0]} is`
        : `Tools ${tools.slice(0, namesShownMax).join(', ')}${rest} are`
    return {
      servers,
      message: `${subject} offered by ${servers.length} MCP servers (${servers.join(', ')}); each is called by its server's name`,
    }
  })
}
