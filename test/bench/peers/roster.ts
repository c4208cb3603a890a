import { join } from 'node:path'
import { loopbackKey } from '../../support/loopback-model/index.ts'
import type { Peer } from './peer.ts'

const platform = `${process.platform}-${process.arch}`

export const ostler: Peer = {
  name: 'Ostler',
  program: join(import.meta.dirname, '../../../packages/cli/dist/ostler.js'),
  args: ['acp', '--model', 'openai/gpt-4.1'],
  vendor: 'openai',
  setUp: (modelUrl) => ({
    env: { OPENAI_API_KEY: loopbackKey, OPENAI_BASE_URL: `${modelUrl}/v1` },
  }),
}

/** Each has its defaults, except that it uses the local model, asks before a tool is called, and sends no statistics. */
export const peers: readonly Peer[] = [
  {
    name: 'claude-agent-acp',
    package: { name: '@agentclientprotocol/claude-agent-acp', version: '0.100.0' },
    program: '@agentclientprotocol/claude-agent-acp/dist/index.js',
    args: [],
    vendor: 'anthropic',
    search: { name: 'ToolSearch', args: { query: 'select:mcp__server0__server0_tool', max_results: 1 } },
    setUp: (modelUrl) => ({
      env: {
        ANTHROPIC_API_KEY: loopbackKey,
        ANTHROPIC_BASE_URL: modelUrl,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
      },
    }),
  },
  {
    name: 'codex-acp',
    package: { name: '@agentclientprotocol/codex-acp', version: '2.6.0' },
    program: '@agentclientprotocol/codex-acp/dist/index.js',
    args: [],
    vendor: 'openai-responses',
    setUp: (modelUrl) => ({
      env: {
        OPENAI_API_KEY: loopbackKey,
        NO_BROWSER: '1',
        // In its default mode, a model decides instead of the person.
        INITIAL_AGENT_MODE: 'workspace-write',
        CODEX_CONFIG: JSON.stringify({
          model: 'gpt-5.4',
          model_provider: 'loopback',
          model_providers: {
            loopback: {
              name: 'loopback',
              base_url: `${modelUrl}/v1`,
              env_key: 'OPENAI_API_KEY',
              wire_api: 'responses',
            },
          },
        }),
      },
    }),
  },
  {
    name: 'goose',
    package: { name: `@aaif/goose-binary-${platform}`, version: '1.52.0' },
    program: `@aaif/goose-binary-${platform}/bin/goose`,
    args: ['acp'],
    vendor: 'openai',
    setUp: (modelUrl) => ({
      env: {
        GOOSE_PROVIDER: 'openai',
        GOOSE_MODEL: 'gpt-4.1',
        GOOSE_MODE: 'approve',
        GOOSE_DISABLE_KEYRING: '1',
        GOOSE_TELEMETRY_ENABLED: 'false',
        OPENAI_API_KEY: loopbackKey,
        OPENAI_HOST: modelUrl,
      },
    }),
  },
  {
    name: 'opencode',
    package: { name: `opencode-${platform}`, version: '1.18.33' },
    program: `opencode-${platform}/bin/opencode`,
    args: ['acp'],
    vendor: 'openai',
    setUp: (modelUrl) => ({
      env: {
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      },
      files: {
        '.config/opencode/opencode.json': JSON.stringify({
          model: 'loopback/gpt-4.1',
          small_model: 'loopback/gpt-4.1',
          autoupdate: false,
          permission: { '*': 'ask' },
          provider: {
            loopback: {
              npm: '@ai-sdk/openai-compatible',
              options: { baseURL: `${modelUrl}/v1`, apiKey: loopbackKey },
              models: { 'gpt-4.1': { tool_call: true, limit: { context: 128_000, output: 16_000 } } },
            },
          },
        }),
      },
    }),
  },
  {
    name: 'gemini-cli',
    package: { name: '@google/gemini-cli', version: '0.61.0' },
    program: '@google/gemini-cli/bundle/gemini.js',
    args: ['--acp', '--model', 'gemini-2.5-pro'],
    vendor: 'google',
    setUp: (modelUrl) => ({
      env: { GEMINI_API_KEY: loopbackKey, GOOGLE_GEMINI_BASE_URL: modelUrl },
      files: {
        '.gemini/settings.json': JSON.stringify({
          // It starts no servers in a folder that is not trusted.
          security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
          general: { disableAutoUpdate: true, enableAutoUpdate: false },
          privacy: { usageStatisticsEnabled: false },
          telemetry: { enabled: false },
        }),
      },
    }),
  },
]
