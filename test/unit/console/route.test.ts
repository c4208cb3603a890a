import { expect, test } from 'vitest'
import { json, matchRoute, type Route } from '../../../packages/console/src/server/http/route.ts'

const route = (method: Route['method'], path: string): Route => ({
  method,
  path,
  handle: () => json(`${method} ${path}`),
})
const routes = [
  route('GET', '/api/calls'),
  route('GET', '/api/calls/filters'),
  route('GET', '/api/calls/:id'),
  route('DELETE', '/api/calls/:id'),
]

test.each([
  ['GET', '/api/calls', {}],
  ['HEAD', '/api/calls', {}],
  ['GET', '/api/calls/filters', {}],
  ['GET', '/api/calls/x', { id: 'x' }],
  ['DELETE', '/api/calls/file%3Aa%2Fb%20c', { id: 'file:a/b c' }],
])('%s %s', (method, path, params) => {
  expect(matchRoute(routes, method, path)).toMatchObject({ type: 'found', params })
})

test.each([
  '/api',
  '/api/calls/',
  '/api/calls/x/y',
  '/API/calls',
  '/api/calls/%zz',
  '/api//calls',
  '/api/..',
])('%s is unknown', (path) => {
  expect(matchRoute(routes, 'GET', path)).toEqual({ type: 'unknown' })
})

test('another method is answered with the allowed ones', () => {
  expect(matchRoute(routes, 'POST', '/api/calls/x')).toEqual({
    type: 'wrong-method',
    allow: ['GET', 'HEAD', 'DELETE'],
  })
})
