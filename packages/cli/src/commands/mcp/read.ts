import { OstlerError, type ContentBlock } from '@ostler/agent-api'
import { toPlainText } from '@ostler/agent-api/internal'
import { defineCommand, forceFlag, textFlag, usageError } from '../../command-line/command.ts'
import { toPath } from '../../state/places.ts'
import { printJson, printServerText } from '../../terminal/print.ts'
import { writeNewFile } from '../../terminal/write-new-file.ts'
import { serverFlags, withServer, type ServerUser } from './with-servers.ts'

export const command = defineCommand({
  synopsis: ['NAME URI [options]'],
  about: 'Prints a resource of a server.',
  flags: {
    output: textFlag(
      'FILE',
      'Write the raw content to this file; an existing file is not replaced. - is standard output',
      { short: 'o', completion: 'file' },
    ),
    force: forceFlag,
    ...serverFlags,
  },
  words: ['server', 'nothing'],
  async run(io, { values, words }) {
    const [name, uri, ...others] = words
    if (name === undefined || uri === undefined || others.length > 0)
      throw usageError('read needs the name of a server and a URI')
    const { json, output, force } = values
    const read: ServerUser<readonly ContentBlock[]> = ({ client }, { signal }) =>
      client.readResource(uri, { signal })
    return withServer(io, values, name, read, async (contents) => {
      const bytes = Buffer.concat(contents.map(toBytes))
      if (output === '-') io.stdout.write(bytes)
      else if (output !== undefined)
        io.stderr.write(`Wrote ${await writeNewFile(toPath(io, output), bytes, force)}\n`)
      else if (json) printJson(io, { contents })
      else if (!contents.some(isBinary)) printServerText(io, contents.map(toPlainText).join('\n'))
      else if (io.stdout.isTTY === true)
        throw new OstlerError(
          'output.binary',
          'The resource is not text. Use --output to write it to a file.',
        )
      else io.stdout.write(bytes)
    })
  },
})

function toBytes(block: ContentBlock): Buffer {
  if (block.type === 'resource' && 'blob' in block.resource) return Buffer.from(block.resource.blob, 'base64')
  if (block.type === 'image' || block.type === 'audio') return Buffer.from(block.data, 'base64')
  return Buffer.from(toPlainText(block))
}

function isBinary(block: ContentBlock): boolean {
  return (
    block.type === 'image' ||
    block.type === 'audio' ||
    (block.type === 'resource' && 'blob' in block.resource)
  )
}
