import type { ProviderConfig } from './model.ts'

/** A provider that needs no entry in the agent file. */
export interface BuiltInProvider {
  readonly type: ProviderConfig['type']
  readonly vendorName: string
  /** In order of precedence. Messages name the first one. */
  readonly keyVariables: readonly string[]
  /** Variables with a bearer token instead of a key. */
  readonly tokenVariables?: readonly string[]
  readonly baseUrlVariables: readonly string[]
  readonly baseUrl: string
  /** Local servers need no key, and nothing shows whether they are running. They are only used if named. */
  readonly isLocal?: boolean
}

/** In order of preference if no model is configured. */
export const builtInProviders: Readonly<Record<string, BuiltInProvider>> = {
  anthropic: {
    type: 'anthropic',
    vendorName: 'Anthropic',
    keyVariables: ['ANTHROPIC_API_KEY'],
    tokenVariables: ['ANTHROPIC_AUTH_TOKEN'],
    baseUrlVariables: ['ANTHROPIC_BASE_URL'],
    baseUrl: 'https://api.anthropic.com/v1',
  },
  openai: {
    type: 'openai',
    vendorName: 'OpenAI',
    keyVariables: ['OPENAI_API_KEY'],
    baseUrlVariables: ['OPENAI_BASE_URL'],
    baseUrl: 'https://api.openai.com/v1',
  },
  google: {
    type: 'google',
    vendorName: 'Google',
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_API_KEY'],
    baseUrlVariables: ['GOOGLE_GEMINI_BASE_URL', 'GOOGLE_GENERATIVE_AI_BASE_URL'],
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  },
  openrouter: {
    type: 'openai-compatible',
    vendorName: 'OpenRouter',
    keyVariables: ['OPENROUTER_API_KEY'],
    baseUrlVariables: ['OPENROUTER_BASE_URL'],
    baseUrl: 'https://openrouter.ai/api/v1',
  },
  ollama: {
    type: 'openai-compatible',
    vendorName: 'Ollama',
    keyVariables: ['OLLAMA_API_KEY'],
    baseUrlVariables: ['OLLAMA_HOST'],
    baseUrl: 'http://127.0.0.1:11434/v1',
    isLocal: true,
  },
  lmstudio: {
    type: 'openai-compatible',
    vendorName: 'LM Studio',
    keyVariables: ['LMSTUDIO_API_KEY'],
    baseUrlVariables: ['LMSTUDIO_BASE_URL'],
    baseUrl: 'http://127.0.0.1:1234/v1',
    isLocal: true,
  },
  llamacpp: {
    type: 'openai-compatible',
    vendorName: 'llama.cpp',
    keyVariables: ['LLAMACPP_API_KEY'],
    baseUrlVariables: ['LLAMACPP_BASE_URL'],
    baseUrl: 'http://127.0.0.1:8080/v1',
    isLocal: true,
  },
  vllm: {
    type: 'openai-compatible',
    vendorName: 'vLLM',
    keyVariables: ['VLLM_API_KEY'],
    baseUrlVariables: ['VLLM_BASE_URL'],
    baseUrl: 'http://127.0.0.1:8000/v1',
    isLocal: true,
  },
}
