import { createInterface } from 'node:readline'
import { OstlerError } from '@ostler/agent-api'
import { defined, openRedirectListener } from '@ostler/agent-api/internal'
import { defineCommand, switchFlag, textFlag, usageError } from '../../command-line/command.ts'
import { parsePort, requireUrl } from '../../command-line/parse-values.ts'
import type { Io } from '../../terminal/io.ts'
import { askSecret, hasPerson } from '../../terminal/ask.ts'
import { openBrowser } from '../../terminal/open-browser.ts'
import { printJson, say } from '../../terminal/print.ts'
import { toShown } from '../../terminal/safe-text.ts'
import { secretStoreNames } from './server-rows.ts'
import { serverFlags, withService } from './with-servers.ts'

export const command = defineCommand({
  synopsis: ['NAME [options]', 'URL [options]'],
  about: `Logs in to a remote server with OAuth, in your browser. The login is stored in the keyring, or in an encrypted file. Running agents
  use it from then on. For a server of your editor, pass its URL.`,
  flags: {
    'client-id': textFlag(
      'ID',
      'The ID of a client you registered there, if Ostler cannot register itself. It is remembered',
    ),
    'client-secret': switchFlag('Prompt for the secret of the client'),
    'secret-stdin': switchFlag('Read the secret of the client from standard input'),
    issuer: textFlag(
      'URL',
      'The authorization server for which you registered the client. Another one gets nothing. It is remembered',
    ),
    'client-metadata-url': textFlag(
      'URL',
      'A document on the web that describes your client, for servers that support that. It is remembered',
    ),
    'callback-port': textFlag('PORT', 'The port of the redirect address on 127.0.0.1 (default: a free port)'),
    scope: textFlag('SCOPES', 'The scopes to request, instead of those the server asks for'),
    resource: textFlag(
      'URL',
      'Accept tokens that are valid for all of URL, and not only for this server. It is remembered',
    ),
    'no-open': switchFlag('Only print the address'),
    ...serverFlags,
  },
  words: ['server', 'nothing'],
  needs: 'login needs the name or the URL of one server',
  more: 'It waits for five minutes. Press Ctrl-C to cancel.',
  async run(io, { values, word: target }) {
    const id = values['client-id']
    const hasSecret = values['client-secret'] || values['secret-stdin']
    if (hasSecret && id === undefined) throw usageError('a client secret requires --client-id')
    const document = values['client-metadata-url']
    if (document !== undefined && id !== undefined)
      throw usageError('only one of --client-id and --client-metadata-url can be used')
    for (const flag of ['issuer', 'resource', 'client-metadata-url'] as const) requireUrl(flag, values[flag])
    const port = parsePort('callback-port', values['callback-port'])
    const secret = hasSecret ? await readSecret(io, values['secret-stdin']) : undefined
    return withService(io, values, async (service, signal) => {
      const kind = await service.logIn(target, {
        signal,
        listen: () => openRedirectListener(port),
        show(url) {
          io.stderr.write(`Log in with your browser, at\n\n  ${toShown(url)}\n\n`)
          if (!values['no-open']) openBrowser(url, io.env)
        },
        ...(id !== undefined && { client: { id, secret } }),
        clientMetadataUrl: document,
        ...defined({ scope: values.scope, issuer: values.issuer, resource: values.resource }),
      })
      if (values.json) printJson(io, { server: target, loggedIn: true, secretStore: kind })
      else say(io, `Logged in to '${target}'. The login is in ${secretStoreNames[kind]}.`)
    })
  },
})

/** Never an argument, because other users of the machine can see those. */
async function readSecret(io: Io, fromStdin: boolean): Promise<string> {
  if (!fromStdin && !hasPerson(io))
    throw usageError(
      'no terminal to prompt for the secret on; use --secret-stdin to read it from standard input',
    )
  const secret = fromStdin ? await firstLine(io.stdin) : await askSecret('Client secret', io)
  if (secret === undefined || secret === '')
    throw new OstlerError('secrets.missing', 'No client secret given.')
  return secret
}

async function firstLine(input: NodeJS.ReadableStream): Promise<string | undefined> {
  for await (const line of createInterface({ input })) return line
  return undefined
}
