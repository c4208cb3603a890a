export const transportNames = { stdio: 'stdio', http: 'HTTP', sse: 'SSE', acp: 'editor' } as const
