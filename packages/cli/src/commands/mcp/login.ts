import { createInterface } from 'node:readline'
import { OstlerError } from '@ostler/agent-api'
import { askSecret, hasPerson, ownTerminal } from '../../terminal/ask.ts'
import { readCommandLine, usageError } from '../../command-line/command-line.ts'
import { toShown } from '../../terminal/format-table.ts'
import { openBrowser } from '../../terminal/open-browser.ts'
import { parsePort } from '../../command-line/parse-port.ts'
import { mcpLoginCommand } from '../specs/mcp-logins.ts'
import { openRedirectListener } from './redirect-listener.ts'
import { secretStoreNames } from './secret-store-names.ts'
import { withService } from './with-service.ts'

export async function runMcpLogin(args: readonly string[]): Promise<number> {
  const line = readCommandLine(mcpLoginCommand, args)
  if (line === undefined) return 0
  const { values, words } = line
  const [target, ...others] = words
  if (target === undefined || others.length > 0) throw usageError(mcpLoginCommand, 'login needs the name or the URL of one server')
  const id = values['client-id']
  const hasSecret = values['client-secret'] || values['secret-stdin']
  if (hasSecret && id === undefined) throw usageError(mcpLoginCommand, 'a secret belongs to a client: name it with --client-id')
  const port = parsePort(mcpLoginCommand, values['callback-port'])
  const secret = hasSecret ? await readSecret(values['secret-stdin']) : undefined
  return withService(values, async (service, signal) => {
    const kind = await service.logIn(target, {
      signal,
      listen: () => openRedirectListener(port),
      show(url) {
        process.stderr.write(`Log in with your browser, at\n\n  ${toShown(url)}\n\n`)
        if (!values['no-open']) openBrowser(url, process.env)
      },
      ...(id !== undefined && { client: { id, ...(secret !== undefined && { secret }) } }),
      ...(values.scope !== undefined && { scope: values.scope }),
    })
    process.stdout.write(`${toShown(`Logged in to '${target}'. The login is in ${secretStoreNames[kind]}.`)}\n`)
    return 0
  })
}

/** Never an argument: those are shown to every user of the machine. */
async function readSecret(fromStdin: boolean): Promise<string> {
  const terminal = ownTerminal()
  if (!fromStdin && !hasPerson(terminal))
    throw usageError(mcpLoginCommand, 'there is no terminal to ask for the secret on: --secret-stdin reads it from standard input')
  const secret = fromStdin ? await firstLine(terminal.input) : await askSecret('Secret of the client', terminal)
  if (secret === undefined || secret === '') throw new OstlerError('secrets.missing', 'There is no secret of the client.')
  return secret
}

async function firstLine(input: NodeJS.ReadableStream): Promise<string | undefined> {
  for await (const line of createInterface({ input })) return line
  return undefined
}
