/** Settings of servers and tools, in words. The agent file and the requests have the codes. */
export const modeWords = {
  dynamic: 'Dynamic: all its tools',
  strict: 'Strict: only tools with a setting',
} as const

export const transportWords = { stdio: 'Command (stdio)', http: 'HTTP', sse: 'SSE (deprecated)' } as const

export const loginWords = {
  none: 'None',
  bearer: 'Bearer token',
  'api-key': 'API key in a header',
  basic: 'User name and password',
} as const

export const inclusionWords = {
  always: 'Always',
  manual: 'When you add them with /tools add',
  agent: 'When the tool search finds them',
} as const

export const startWords = {
  eager: 'At once',
  'known-on-demand': 'When it is used, if known',
} as const

export function optionsOf<T extends string>(
  words: Readonly<Record<T, string>>,
): readonly (readonly [T, string])[] {
  return Object.entries(words) as unknown as readonly (readonly [T, string])[]
}

export function wordFor(words: Readonly<Record<string, string>>, code: unknown): string {
  const text = String(code)
  return Object.hasOwn(words, text) ? (words[text] ?? text) : text
}
