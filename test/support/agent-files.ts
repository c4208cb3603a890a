import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { parseConfigDocument } from '../../packages/agent-api/src/config/config-document.ts'
import { programPath } from './program-path.ts'

/** The path of a file in test/fixtures/agent-files. */
export function agentFilePath(name: string): string {
  return fileURLToPath(new URL(`../fixtures/agent-files/${name}`, import.meta.url))
}

export const fixtureServer = (name: string) => programPath(`fixtures/servers/${name}`)

export const filesystemServer = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-filesystem/dist/index.js',
)

/** Reads an agent file as an editor sees it: data without expanded variables. */
export async function readAgentFile(path: string): Promise<unknown> {
  return parseConfigDocument(path, await readFile(path, 'utf8')).data ?? {}
}

/** Compiles the schema as an editor would. Strict, so that an unknown keyword fails. */
export function compileSchema(schema: unknown): ValidateFunction {
  return new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema as object)
}
