import { defineCommand, switchFlag, usageError } from '../../command-line/command.ts'
import { askSecrets, fieldFlags, toEntryChanges, warnOfUnset, withInner } from './entry-flags.ts'
import { sayStored } from './store-server.ts'
import { serverFlags, withServers } from './with-servers.ts'

export const command = defineCommand({
  synopsis: ['NAME [options] -- COMMAND [ARG...]', 'NAME URL [options]'],
  about:
    'Stores a server for all sessions, including open ones. Secrets go to the keyring, or to an encrypted file. Nothing is started.',
  flags: {
    ...fieldFlags,
    disabled: switchFlag('Store it disabled'),
    ...serverFlags,
  },
  words: ['nothing'],
  more: `Examples:
  ostler mcp add files -- npx -y @modelcontextprotocol/server-filesystem ~/notes
  ostler mcp add github --secret GITHUB_TOKEN -- docker run -i --rm -e GITHUB_TOKEN ghcr.io/github/github-mcp-server
  ostler mcp add docs https://mcp.example.com/mcp --auth-bearer -`,
  takesProgram: true,
  async run(io, { values, words, program }) {
    const { name, target } = toTarget(words, program, values.transport)
    const changes = toEntryChanges(io, values, 'url' in target)
    const { env, headers, fields, inner, secret } = await askSecrets(io, changes, values['secret-stdin'])
    const pairs = 'url' in target ? { headers } : { env }
    const entry = withInner(
      { ...target, ...pairs, ...fields, ...(values.disabled && { enabled: false }) },
      inner,
    )
    warnOfUnset(io, values)
    return withServers(io, values, async (list) =>
      sayStored(io, list, await list.addServer({ name, entry, secret }), {
        what: 'Stored',
        json: values.json,
      }),
    )
  },
})

type Target =
  | { readonly type: string; readonly url: string }
  | { readonly type: string; readonly command: string; readonly args: readonly string[] }

function toTarget(
  words: readonly string[],
  program: readonly string[] | undefined,
  transport: string | undefined,
): { name: string; target: Target } {
  const [name, ...rest] = words
  if (name === undefined) throw usageError('add needs a name for the server')
  if (program !== undefined && rest.length > 0)
    throw usageError(`unexpected argument '${rest[0]}'. The command must follow --`)
  const [first, ...others] = program ?? rest
  if (first === undefined || first === '')
    throw usageError('add needs the URL of the server, or its command after --')
  const isUrl = program === undefined && /^https?:\/\//i.test(first)
  if (!isUrl && program === undefined) refuseWord(first)
  if (!isUrl && transport !== undefined && transport !== 'stdio')
    throw usageError(`--transport ${transport} needs a URL`)
  if (!isUrl) return { name, target: { type: 'stdio', command: first, args: others } }
  if (transport === 'stdio') throw usageError('--transport stdio needs a command')
  if (others.length > 0) throw usageError(`unexpected argument '${others[0]}'`)
  return { name, target: { type: transport ?? 'http', url: first } }
}

/** Without --, only a URL is accepted: a mistyped one must not become a command. */
function refuseWord(word: string): never {
  const scheme = /^([a-z][\w+.-]*):\/\//i.exec(word)?.[1]
  if (scheme !== undefined)
    throw usageError(`the URL of a server must begin with https:// or http://, not with ${scheme}://`)
  const host = /^(localhost|[\w-]+(?:\.[\w-]+)+)(?:\/|:\d+(?:\/|$))/i.exec(word)?.[1]
  if (host === undefined)
    throw usageError(`'${word}' is not a URL that begins with https:// or http://. A command must follow --`)
  const likely = host === 'localhost' ? 'http' : 'https'
  throw usageError(`${host} looks like an address: put ${likely}:// before it, or -- before a command`)
}
