export const transportNames = { stdio: 'stdio', http: 'HTTP', sse: 'SSE' } as const
