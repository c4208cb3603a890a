type Schema = Record<string, unknown>

const levels = 30
const name = (level: number) => `L${level}`
const ref = (level: number) => ({ $ref: `#/$defs/${name(level)}` })
const last = { type: 'object', properties: { a: { type: 'string' } } }

function withDefinitions(of: (level: number) => Schema): Schema {
  return Object.fromEntries(Array.from({ length: levels }, (_, level) => [name(level), of(level)]))
}

/** Each definition references the next one twice: expanded, the last one occurs 2^30 times. */
function doubling(keyword: 'allOf' | 'anyOf' | 'oneOf', more: Schema = {}): Schema {
  const of = (level: number) =>
    level === levels - 1 ? last : { [keyword]: [ref(level + 1), ref(level + 1)], ...more }
  return { type: 'object', properties: { a: ref(0) }, $defs: withDefinitions(of) }
}

/** Each definition references all of them. */
function completeGraph(keyword: 'allOf' | 'anyOf' | 'oneOf'): Schema {
  const all = () => Array.from({ length: levels }, (_, level) => ref(level))
  return { type: 'object', [keyword]: all(), $defs: withDefinitions(() => ({ [keyword]: all() })) }
}

/** Small schemas that become huge when expanded. None may affect more than its tool. */
export const vastSchemas: Readonly<Record<string, Schema>> = {
  'allOf that doubles': doubling('allOf'),
  'anyOf that doubles': doubling('anyOf'),
  'oneOf that doubles': doubling('oneOf'),
  'allOf that doubles at the root': { ...doubling('allOf'), allOf: [ref(0)] },
  'anyOf that doubles at the root': { ...doubling('anyOf'), anyOf: [ref(0)] },
  'oneOf that doubles at the root': { ...doubling('oneOf'), oneOf: [ref(0)] },
  'anyOf that doubles and comes back': doubling('anyOf', { properties: { a: { $ref: '#' }, b: ref(0) } }),
  'properties that double': {
    type: 'object',
    properties: { a: ref(0) },
    $defs: withDefinitions((level) => ({
      properties: { a: ref((level + 1) % levels), b: ref((level + 1) % levels), c: ref(level) },
    })),
  },
  'allOf of all by all': completeGraph('allOf'),
  'anyOf of all by all': completeGraph('anyOf'),
  'oneOf of all by all': completeGraph('oneOf'),
}

/** Short enum values, so that ten thousand of them fit into an accepted schema. */
export function manyValues(count: number): string[] {
  return Array.from({ length: count }, (_, index) => index.toString(36))
}
