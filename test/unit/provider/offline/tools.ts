import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { formatToolsForProvider } from '../../../../packages/agent-api/src/provider/format-tools.ts'

function tool(
  name: string,
  description: string,
  properties: Record<string, unknown>,
  required: string[] = Object.keys(properties),
) {
  return { name, description, inputSchema: { type: 'object', properties, required } }
}

/** Tools of common kinds. */
export const offeredTools: LanguageModelV4FunctionTool[] = formatToolsForProvider(
  [
    tool('calc__add', 'Adds two numbers', { a: { type: 'number' }, b: { type: 'number' } }),
    tool('demo__echo', 'Echoes back the input', {
      message: { type: 'string', description: 'Message to echo' },
    }),
    tool('weather__get_weather', 'Get the weather forecast for a city', {
      city: { type: 'string', description: 'City name' },
    }),
    tool(
      'fs__read_text_file',
      'Read the contents of a file from the file system',
      { path: { type: 'string' }, head: { type: 'integer' } },
      ['path'],
    ),
    tool('fs__move_file', 'Move or rename files and directories', {
      source: { type: 'string' },
      destination: { type: 'string' },
    }),
    tool(
      'web__fetch',
      'Fetches a URL from the internet',
      { url: { type: 'string', format: 'uri' }, raw: { type: 'boolean' } },
      ['url'],
    ),
    tool(
      'tracker__create_issue',
      'Create an issue in the bug tracker',
      {
        title: { type: 'string' },
        priority: { type: 'string', enum: ['low', 'medium', 'high'] },
        labels: { type: 'array', items: { type: 'string' } },
      },
      ['title', 'priority'],
    ),
    tool('mail__send_email', 'Send an email message', {
      to: { type: 'string', format: 'email' },
      subject: { type: 'string' },
      body: { type: 'string' },
    }),
    tool('stats__mean', 'Compute the mean of a list of numbers', {
      values: { type: 'array', items: { type: 'number' } },
    }),
    tool(
      'shop__list_orders',
      'List the orders of a customer',
      { customer: { type: 'string' }, limit: { type: 'integer', minimum: 1, maximum: 50 } },
      [],
    ),
  ],
  'offline',
)
