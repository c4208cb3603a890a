import { OstlerError, toPlainText, type ContentBlock } from '@ostler/agent-api'
import { readCommandLine, usageError } from '../../command-line/command-line.ts'
import { printJson } from '../../terminal/print-json.ts'
import { writeNewFile } from '../../terminal/write-new-file.ts'
import { mcpReadCommand } from '../specs/mcp-connected.ts'
import { printServerText, withServer } from './connect.ts'
import { withService } from './with-service.ts'

export async function runMcpRead(args: readonly string[]): Promise<number> {
  const line = readCommandLine(mcpReadCommand, args)
  if (line === undefined) return 0
  const [name, uri, ...others] = line.words
  if (name === undefined || uri === undefined || others.length > 0)
    throw usageError(mcpReadCommand, 'read needs the name of a server and a URI')
  const { json, output, force } = line.values
  return withService(line.values, async (service, signal) => {
    const contents = await withServer(service, name, ({ id }) => service.readResource(id, uri, { signal }))
    const bytes = Buffer.concat(contents.map(toBytes))
    if (output === '-') process.stdout.write(bytes)
    else if (output !== undefined) process.stderr.write(`Wrote ${writeNewFile(output, bytes, force)}\n`)
    else if (json) printJson({ contents })
    else if (!contents.some(isBinary)) printServerText(endLine(contents.map(toPlainText).join('\n')))
    else if (process.stdout.isTTY) throw new OstlerError('output.binary', 'It is not text. --output writes it to a file.')
    else process.stdout.write(bytes)
    return 0
  })
}

function toBytes(block: ContentBlock): Buffer {
  if (block.type === 'resource' && 'blob' in block.resource) return Buffer.from(block.resource.blob, 'base64')
  if (block.type === 'image' || block.type === 'audio') return Buffer.from(block.data, 'base64')
  return Buffer.from(toPlainText(block))
}

function isBinary(block: ContentBlock): boolean {
  return block.type === 'image' || block.type === 'audio' || (block.type === 'resource' && 'blob' in block.resource)
}

function endLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}
