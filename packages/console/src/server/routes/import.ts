import { OstlerError } from '@ostler/agent-api'
import { parseServerList, previewServer, type FoundServer } from '@ostler/agent-api/manage'
import { z } from 'zod'
import type { ImportPreview, ImportResult } from '../../api.ts'
import type { ConsoleContext } from '../context.ts'
import { json, type Route } from '../http/route.ts'
import { parseRequest } from '../parse-request.ts'

const previewSchema = z.strictObject({ text: z.string() })
const importSchema = previewSchema.extend({ names: z.array(z.string()).max(1_000) })

/** Imports pasted or uploaded text. No file that the text names is read. */
export function importRoutes({ agent, audit, consent, env }: ConsoleContext): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/api/import/preview',
      async handle({ body }) {
        const { format, servers, skipped, inputs, notes } = parseServerList(parseRequest(previewSchema, body).text)
        const service = await agent.service()
        const taken = new Set((await service.listServers()).filter(({ origin }) => origin === 'stored').map(({ name }) => name))
        const preview: ImportPreview = {
          format,
          servers: servers.map((server) => ({
            name: server.name,
            commandLine: previewServer(server, env).commandLine,
            secrets: server.secrets,
            taken: taken.has(server.name),
          })),
          skipped,
          notes: [
            ...notes,
            ...servers.flatMap(notesOf),
            ...inputs.map(({ id, description }) => `the other program prompts for '${description ?? id}'. Set it here after the import`),
          ],
        }
        return json(preview)
      },
    },
    {
      method: 'POST',
      path: '/api/import',
      async handle({ body }) {
        const { text, names } = parseRequest(importSchema, body)
        const found = parseServerList(text).servers
        const service = await agent.service()
        const added: string[] = []
        const failed: { name: string; reason: string }[] = []
        for (const name of new Set(names)) {
          const server = found.find((candidate) => candidate.name === name)
          try {
            if (server === undefined) throw new OstlerError('import.unknown', 'not found in the text')
            const { entry, secret } = server
            const previewed = previewServer({ name, entry, secret }, env)
            // The preview showed the command, and the person chose it.
            if (previewed.issues.length === 0 && previewed.url === undefined) await consent.require({ confirmed: true }, previewed)
            await audit.run('add-server', { name, entry: previewed.entry }, () => service.addServer({ name, entry, secret }))
            added.push(name)
          } catch (error) {
            if (!(error instanceof OstlerError)) throw error
            failed.push({ name, reason: error.message })
          }
        }
        const result: ImportResult = { added, failed }
        return json(result)
      },
    },
  ]
}

function notesOf({ name, notes, envFile }: FoundServer): string[] {
  const all = envFile === undefined ? notes : [...notes, `its variables in ${envFile} are not imported`]
  return all.map((note) => `${name}: ${note}`)
}
