import { counted } from '../base/quantities.ts'
import { messageOf } from '../base/errors.ts'
import type { McpClient, McpResource } from '../mcp/mcp-client.ts'
import { text, type ContentBlock } from '../messages/content.ts'
import { errorResult, objectSchema, textResult, type Tool } from '../messages/tool.ts'
import { offerOwn, type OfferedTool, type ServerHome } from '../tools/offered-tool.ts'
import type { CallMembrane } from '../tools/call-membrane.ts'
import type { SessionMemory } from './session-memory.ts'

export type ResourceServer = Omit<ServerHome, 'type'>

/** Tools for the model, and mentions for the person. */
export interface SessionResources extends Disposable {
  tools(): readonly OfferedTool[]
  /** Adds the resources of `@server:uri`, and of links that a server has listed. */
  resolve(content: readonly ContentBlock[], signal: AbortSignal): Promise<readonly ContentBlock[]>
  /** Undefined without changes. */
  takeChanges(): string | undefined
}

const mentionsMax = 10
const listedMax = 200
const uriCharsMax = 8_192
const aboutCharsMax = 300
const listMs = 3_000
const readMs = 30_000
const changesShown = 20

const readerSchema = objectSchema(['uri'], { uri: { type: 'string', minLength: 1, maxLength: uriCharsMax } })

export function createSessionResources(
  servers: () => readonly ResourceServer[],
  memory: Pick<SessionMemory, 'resources'>,
  { progress }: Pick<CallMembrane, 'progress'>,
): SessionResources {
  const changeCounts = new Map<string, number>()
  const followed = new Map<McpClient, () => void>()

  const withResources = () => servers().filter(({ client }) => client.hasResources)

  async function read(client: McpClient, uri: string, signal: AbortSignal): Promise<readonly ContentBlock[]> {
    const contents = await client.readResource(uri, { signal })
    follow(client, uri)
    return contents
  }

  function follow(client: McpClient, uri: string): void {
    if (!followed.has(client)) followed.set(client, client.onResourceChange(noteChange))
    const name = nameOf(client, uri)
    const count = changeCounts.get(name) ?? 0
    changeCounts.set(name, count)
    memory.resources = new Map([...memory.resources, [name, count]])
    client.watchResource(uri)

    function noteChange(changed: string): void {
      const seen = changeCounts.get(nameOf(client, changed))
      if (seen !== undefined) changeCounts.set(nameOf(client, changed), seen + 1)
    }
  }

  function createReader({ client, owner }: ResourceServer): OfferedTool {
    const tool: Tool = {
      ref: { server: client.name, tool: 'read_resource' },
      description: `Reads a resource of the server '${client.name}'. Links in results and list_resources give the uri.`,
      inputSchema: readerSchema,
      kind: 'read',
      async execute({ uri }, { signal }) {
        try {
          const content = await read(client, String(uri), signal)
          return content.length === 0 ? errorResult('The resource is empty.') : { isError: false, content }
        } catch (error) {
          return errorResult(`MCP error: ${messageOf(error)}`)
        }
      },
    }
    return offerOwn(tool, { type: 'server', client, owner })
  }

  async function resolveMention(
    { client, uri }: Mention,
    signal: AbortSignal,
  ): Promise<readonly ContentBlock[]> {
    try {
      const content = await read(client, uri, AbortSignal.any([signal, AbortSignal.timeout(readMs)]))
      // Each block is labelled, because it stands in the person's message, and may claim any address.
      return content.flatMap((block) => [
        text(`[The MCP server '${client.name}' gives this for ${uri}:]`),
        block,
      ])
    } catch (error) {
      return [text(`[${uri} of the server '${client.name}' could not be read: ${messageOf(error)}]`)]
    }
  }

  return {
    tools() {
      const found = withResources()
      return found.length === 0 ? [] : [...found.map(createReader), createLister(withResources)]
    },
    async resolve(content, signal) {
      const clients = withResources().map(({ client }) => client)
      const mentions = clients.length === 0 ? [] : await findMentions(content, clients, signal)
      if (mentions.length === 0) return content
      const read = await Promise.all(
        mentions.slice(0, mentionsMax).map((mention) => resolveMention(mention, signal)),
      )
      const left = mentions.length - mentionsMax
      const note =
        left > 0
          ? [text(`[${left} more mentioned resources were not read: at most ${mentionsMax} at once]`)]
          : []
      return [...content, ...(progress(read.flat()) as ContentBlock[]), ...note]
    },
    takeChanges() {
      const changed = [...memory.resources.keys()].filter(
        (name) => memory.resources.get(name) !== changeCounts.get(name),
      )
      if (changed.length === 0) return undefined
      const shown = changed.slice(0, changesShown)
      memory.resources = new Map(
        [...memory.resources.keys()].map((name) => [name, changeCounts.get(name) ?? 0]),
      )
      return `[Changed since you read it: ${shown.join(', ')}. Read it again if you need it.]`
    },
    [Symbol.dispose]() {
      for (const stop of followed.values()) stop()
    },
  }
}

function nameOf({ name }: McpClient, uri: string): string {
  return `${uri} of the server '${name}'`
}

interface Mention {
  readonly client: McpClient
  readonly uri: string
}

async function findMentions(
  content: readonly ContentBlock[],
  clients: readonly McpClient[],
  signal: AbortSignal,
): Promise<Mention[]> {
  const named = content.flatMap((block) => (block.type === 'text' ? namedIn(block.text, clients) : []))
  const links = content.flatMap((block) =>
    block.type === 'resource_link' && !notOfServers.test(block.uri) ? [block.uri] : [],
  )
  const soon = AbortSignal.any([signal, AbortSignal.timeout(listMs)])
  const listed =
    links.length === 0 ? [] : await Promise.all(clients.map((client) => listResources(client, soon)))
  const linked = links.flatMap((uri): Mention[] => {
    const index = listed.findIndex(
      ({ resources, templates }) => resources.some((each) => each.uri === uri) || templates.some(fits(uri)),
    )
    const client = clients[index]
    return client === undefined ? [] : [{ client, uri }]
  })
  const all = new Map(
    [...named, ...linked].map((mention) => [`${mention.client.name} ${mention.uri}`, mention]),
  )
  return [...all.values()]
}

/** `@server:uri`. Punctuation at its end is not part of it, because the sentence may continue. */
function namedIn(written: string, clients: readonly McpClient[]): Mention[] {
  return [...written.matchAll(/(?:^|\s)@([^\s:@]{1,200}):([a-z][\w+.-]{0,50}:[^\s]{1,4000})/gi)].flatMap(
    ([, name, uri = '']) => {
      const client = clients.find((each) => each.name === name)
      return client === undefined ? [] : [{ client, uri: uri.replace(/[.,;:!?)\]'"]+$/, '') }]
    },
  )
}

/** No server may answer for a file or a web page. `@server:uri` asks a server for one. */
const notOfServers = /^\s*(?:file|https?):/i

/** Matches only the fixed beginning of a template, which must contain the scheme. */
function fits(uri: string): (template: McpResource) => boolean {
  return ({ uri: template }) => {
    const [beginning = ''] = template.split('{')
    return beginning.includes(':') && uri.startsWith(beginning)
  }
}

interface ListedResources {
  readonly resources: readonly McpResource[]
  readonly templates: readonly McpResource[]
}

/** Empty if the server does not answer soon. */
export async function listResources(client: McpClient, signal: AbortSignal): Promise<ListedResources> {
  // The request waits for a sleeping server, however long its start takes.
  if (client.isAnticipated) await client.use({ signal }).catch(() => undefined)
  const stop = AbortSignal.any([signal, AbortSignal.timeout(listMs)])
  const [resources, templates] = await Promise.all([
    client.listResources({ signal: stop }).catch(() => []),
    client.listResourceTemplates({ signal: stop }).catch(() => []),
  ])
  return { resources, templates }
}

export function describeResource({ uri, name, description = '' }: McpResource): string {
  const about = [name === uri ? '' : name, description.split('\n')[0] ?? '']
    .filter((part) => part !== '')
    .join(': ')
  return about === '' ? uri : `${uri} (${about.slice(0, aboutCharsMax)})`
}

const listerSchema = objectSchema([], {
  server: { type: 'string', description: 'Only those of this server' },
})

function createLister(servers: () => readonly ResourceServer[]): OfferedTool {
  const tool: Tool = {
    ref: { server: null, tool: 'list_resources' },
    description:
      'Lists the resources of the MCP servers, and the templates of uris that can be filled in. read_resource of their server reads them.',
    inputSchema: listerSchema,
    kind: 'search',
    isInternal: true,
    async execute({ server }, { signal }) {
      const wanted = servers().filter(({ client }) => server === undefined || client.name === server)
      if (wanted.length === 0)
        return errorResult(`No server with resources is named ${JSON.stringify(server)}.`)
      const lists = await Promise.all(
        wanted.map(async ({ client }) => ({ client, ...(await listResources(client, signal)) })),
      )
      return textResult(
        lists.map(({ client, ...listed }) => describeListed(client.name, listed)).join('\n\n'),
      )
    },
  }
  return offerOwn(tool)
}

function describeListed(server: string, { resources, templates }: ListedResources): string {
  const left = Math.max(0, resources.length - listedMax)
  return [
    `Server '${server}': ${counted(resources.length, 'resource')}, ${counted(templates.length, 'template')}`,
    ...resources.slice(0, listedMax).map((resource) => `- ${describeResource(resource)}`),
    ...(left > 0 ? [`- and ${left} more`] : []),
    ...templates.slice(0, listedMax).map((template) => `- template: ${describeResource(template)}`),
  ].join('\n')
}
