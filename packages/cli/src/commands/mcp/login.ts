import { createInterface } from 'node:readline'
import { OstlerError } from '@ostler/agent-api'
import { defineCommand } from '../../command-line/command.ts'
import { placeFlags } from './server-flags.ts'
import { parsePort } from '../../command-line/parse-values.ts'
import { usageError } from '../../command-line/usage-error.ts'
import type { Io } from '../../io.ts'
import { askSecret, hasPerson } from '../../terminal/ask.ts'
import { toShown } from '../../terminal/format-table.ts'
import { openBrowser } from '../../terminal/open-browser.ts'
import { openRedirectListener } from './redirect-listener.ts'
import { secretStoreNames } from './secret-store-names.ts'
import { withService } from './with-service.ts'

export const command = defineCommand({
  synopsis: ['NAME [options]', 'URL [options]'],
  about: `Logs in to a remote server with OAuth, in your browser, and keeps the login in the keyring, or encrypted in a file. Agents that run
use it from then on. A server that your editor brings is named by its URL.`,
  flags: {
    'client-id': {
      type: 'string',
      value: 'ID',
      help: 'A client that you have registered there, where programs cannot do so. It is kept for the next time',
      completion: 'nothing',
    },
    'client-secret': { type: 'boolean', default: false, help: 'The client has a secret: it is asked for, unseen' },
    'secret-stdin': { type: 'boolean', default: false, help: 'The client has a secret: it is read from standard input' },
    'callback-port': {
      type: 'string',
      value: 'PORT',
      help: 'Where the browser comes back to, on 127.0.0.1, at /callback (default: a free one)',
      completion: 'nothing',
    },
    scope: { type: 'string', value: 'SCOPES', help: 'What to ask for, in place of what the server says it needs', completion: 'nothing' },
    'no-open': { type: 'boolean', default: false, help: 'Only print the address, and open no browser' },
    ...placeFlags,
  },
  words: ['server', 'nothing'],
  more: 'It waits for five minutes. Ctrl-C ends it.',
  async run(io, { values, words }) {
    const [target, ...others] = words
    if (target === undefined || others.length > 0) throw usageError('login needs the name or the URL of one server')
    const id = values['client-id']
    const hasSecret = values['client-secret'] || values['secret-stdin']
    if (hasSecret && id === undefined) throw usageError('a secret belongs to a client: name it with --client-id')
    const port = parsePort(values['callback-port'])
    const secret = hasSecret ? await readSecret(io, values['secret-stdin']) : undefined
    return withService(io, values, async (service, signal) => {
      const kind = await service.logIn(target, {
        signal,
        listen: () => openRedirectListener(port),
        show(url) {
          io.stderr.write(`Log in with your browser, at\n\n  ${toShown(url)}\n\n`)
          if (!values['no-open']) openBrowser(url, io.env)
        },
        ...(id !== undefined && { client: { id, ...(secret !== undefined && { secret }) } }),
        ...(values.scope !== undefined && { scope: values.scope }),
      })
      io.stdout.write(`${toShown(`Logged in to '${target}'. The login is in ${secretStoreNames[kind]}.`)}\n`)
      return 0
    })
  },
})

/** Never an argument, because other users of the machine can see those. */
async function readSecret(io: Io, fromStdin: boolean): Promise<string> {
  if (!fromStdin && !hasPerson(io))
    throw usageError('there is no terminal to ask for the secret on: --secret-stdin reads it from standard input')
  const secret = fromStdin ? await firstLine(io.stdin) : await askSecret('Secret of the client', io)
  if (secret === undefined || secret === '') throw new OstlerError('secrets.missing', 'There is no secret of the client.')
  return secret
}

async function firstLine(input: NodeJS.ReadableStream): Promise<string | undefined> {
  for await (const line of createInterface({ input })) return line
  return undefined
}
