import { isRecord } from '../base/is-record.ts'
import {
  nameOf,
  placeIn,
  spend,
  compare,
  isLongAs,
  isOneOf,
  keyOf,
  matches,
  type Place,
  type Run,
} from './compare-values.ts'
import { lookUpRef } from '../messages/schema-ref.ts'
import type { JsonSchema } from '../messages/tool.ts'
import { counted } from '../base/quantities.ts'

/** Limit on the work of one check. A unit takes about 50 ns, so the event loop is not blocked for long. */
const workMax = 400_000
const workOfSchema = 20
const workOfKeyword = 5
const depthMax = 400
const problemsKept = 100
const valuesShown = 20
const problemCharsMax = 300

/**
 * Understands draft 4 and later. Each schema checks each part of the value once, and total work is limited. Unknown keywords are ignored,
 * and a check that exceeds the limit reports nothing.
 */
export function findProblems(schema: JsonSchema, value: unknown): readonly string[] {
  const run: Run = { root: schema, workLeft: workMax, depth: 0, isOver: false }
  const problems = check(schema, { value }, run)
  return run.isOver ? fits : problems
}

const fits: readonly string[] = []

function check(schema: unknown, place: Place, run: Run): readonly string[] {
  if (schema === false) return spend(run, workOfSchema) ? [`${nameOf(place)} is not allowed`] : fits
  if (!isRecord(schema)) return fits
  const plan = planFor(schema)
  if (plan.leadsOn) {
    const known = place.checked?.get(schema)
    if (known !== undefined) return known
    // A recursive schema adds nothing if it is checked again at the same place.
    place.checked ??= new Map()
    place.checked.set(schema, fits)
  }
  if (!spend(run, workOfSchema + plan.steps.length * workOfKeyword) || run.depth >= depthMax) {
    run.isOver = true
    return fits
  }
  run.depth++
  const result = runPlan(plan, { schema, place, value: place.value, run })
  run.depth--
  if (plan.leadsOn) place.checked?.set(schema, result)
  return result
}

function runPlan(plan: Plan, site: Site): readonly string[] {
  let problems: Set<string> | undefined
  for (const [rule, given] of plan.steps) {
    const found = rule(given, site)
    if (found === undefined || found.length === 0) continue
    problems ??= new Set()
    for (const problem of typeof found === 'string' ? [`${nameOf(site.place)} ${found}`] : found) {
      if (problems.size >= problemsKept) break
      problems.add(problem.length > problemCharsMax ? `${problem.slice(0, problemCharsMax)}…` : problem)
    }
  }
  return problems === undefined ? fits : [...problems]
}

interface Plan {
  readonly steps: readonly (readonly [Rule, unknown])[]
  /** True if the schema contains or references other schemas. Its results are cached, because many paths may lead to it. */
  readonly leadsOn: boolean
}

const plans = new WeakMap<object, Plan>()

function planFor(schema: JsonSchema): Plan {
  let plan = plans.get(schema)
  if (plan === undefined) {
    const steps = Object.entries(schema).flatMap(([keyword, given]) => {
      const rule = rules.get(keyword)
      return rule === undefined ? [] : [[rule, given] as const]
    })
    const leadsOn = Object.entries(schema).some(
      ([keyword, given]) => rules.has(keyword) && (keyword === '$ref' || typeof given === 'object'),
    )
    plan = { steps, leadsOn }
    plans.set(schema, plan)
  }
  return plan
}

interface Site {
  readonly schema: JsonSchema
  readonly place: Place
  readonly value: unknown
  readonly run: Run
}

type Rule = (given: unknown, site: Site) => string | readonly string[] | undefined

const rules = new Map<string, Rule>(
  Object.entries<Rule>({
    $ref: follow,
    $dynamicRef: follow,
    $recursiveRef: follow,

    type(given, { schema, value }) {
      const types = [given].flat()
      if (types.length === 0 || (value === null && schema['nullable'] === true)) return undefined
      const isFit = types.some((type) => typeof type !== 'string' || (typeTests.get(type)?.(value) ?? true))
      return isFit ? undefined : `must be ${types.join(' or ')}`
    },
    enum(given, { value, run }) {
      if (!Array.isArray(given) || isOneOf(value, given, run)) return undefined
      const more = given.length > valuesShown ? ` and ${given.length - valuesShown} more` : ''
      return `must be one of ${JSON.stringify(given.slice(0, valuesShown))}${more}`
    },
    const: (given, { value, run }) =>
      isOneOf(value, [given], run) ? undefined : `must be ${JSON.stringify(given)}`,

    minimum: (given, { value, schema }) =>
      compare(value, schema['exclusiveMinimum'] === true ? 'more than' : 'at least', given),
    maximum: (given, { value, schema }) =>
      compare(value, schema['exclusiveMaximum'] === true ? 'less than' : 'at most', given),
    exclusiveMinimum: (given, { value }) => compare(value, 'more than', given),
    exclusiveMaximum: (given, { value }) => compare(value, 'less than', given),
    multipleOf: (given, { value }) => compare(value, 'a multiple of', given),

    minLength: (given, { value }) =>
      typeof value === 'string' && typeof given === 'number' && !isLongAs(value, given)
        ? `must have at least ${counted(given, 'character')}`
        : undefined,
    maxLength: (given, { value }) =>
      typeof value === 'string' && typeof given === 'number' && isLongAs(value, given + 1)
        ? `must have at most ${counted(given, 'character')}`
        : undefined,
    pattern: (given, { value, run }) =>
      typeof value === 'string' && typeof given === 'string' && !matches(given, value, run)
        ? `must match pattern ${JSON.stringify(given)}`
        : undefined,

    minItems: (given, { value }) =>
      Array.isArray(value) ? compare(value.length, 'at least', given, 'a list of ') : undefined,
    maxItems: (given, { value }) =>
      Array.isArray(value) ? compare(value.length, 'at most', given, 'a list of ') : undefined,
    uniqueItems(given, { value, run }) {
      if (given !== true || !Array.isArray(value)) return undefined
      return new Set(value.map((item) => keyOf(item, run))).size === value.length
        ? undefined
        : 'must not contain duplicate items'
    },
    prefixItems: (given, site) =>
      checkItems(site, (index) => (Array.isArray(given) ? given[index] : undefined)),
    items(given, site) {
      if (Array.isArray(given)) return checkItems(site, (index) => given[index])
      const { prefixItems } = site.schema
      const first = Array.isArray(prefixItems) ? prefixItems.length : 0
      return checkItems(site, (index) => (index < first ? undefined : given))
    },
    additionalItems(given, site) {
      const { items } = site.schema
      return Array.isArray(items)
        ? checkItems(site, (index) => (index < items.length ? undefined : given))
        : undefined
    },
    contains(given, { schema, place, value, run }) {
      if (!Array.isArray(value)) return undefined
      const { minContains: min = 1, maxContains: max } = schema
      const count = value.filter(
        (_, index) => !run.isOver && check(given, placeIn(place, index), run).length === 0,
      ).length
      if (typeof min === 'number' && count < min) return `must contain at least ${counted(min, 'valid item')}`
      return typeof max === 'number' && count > max
        ? `must contain at most ${counted(max, 'valid item')}`
        : undefined
    },

    minProperties: (given, { value }) =>
      isRecord(value) ? compare(Object.keys(value).length, 'at least', given, 'an object of ') : undefined,
    maxProperties: (given, { value }) =>
      isRecord(value) ? compare(Object.keys(value).length, 'at most', given, 'an object of ') : undefined,
    required: missing,
    properties(given, { place, value, run }) {
      if (!isRecord(given) || !isRecord(value)) return undefined
      return namesOf(given, run)
        .filter((name) => Object.hasOwn(value, name))
        .flatMap((name) => check(given[name], placeIn(place, name), run))
    },
    patternProperties(given, { place, value, run }) {
      if (!isRecord(given) || !isRecord(value)) return undefined
      const names = namesOf(value, run)
      return namesOf(given, run).flatMap((pattern) =>
        checkEach(names, run, (name) =>
          matches(pattern, name, run) ? check(given[pattern], placeIn(place, name), run) : fits,
        ),
      )
    },
    additionalProperties(given, { schema, place, value, run }) {
      if (!isRecord(value)) return undefined
      const rest = namesOf(value, run).filter((name) => !isDescribed(name, schema, run))
      return checkRest(rest, given, place, run)
    },
    propertyNames(given, { value, place, run }) {
      if (!isRecord(value)) return undefined
      return checkEach(namesOf(value, run), run, (name) => {
        const problems = check(given, { value: name }, run)
        return problems.length === 0 ? fits : [`${nameOf(place)} must not have a field named '${name}'`]
      })
    },
    dependentRequired: (given, site) => forPresent(given, site, (names) => missing(names, site)),
    dependentSchemas: (given, site) =>
      forPresent(given, site, (schema) => check(schema, site.place, site.run)),
    dependencies: (given, site) =>
      forPresent(given, site, (demand) =>
        Array.isArray(demand) ? missing(demand, site) : check(demand, site.place, site.run),
      ),

    allOf: (given, { place, run }) =>
      Array.isArray(given) ? given.flatMap((schema) => check(schema, place, run)) : undefined,
    anyOf: (given, site) => checkAlternatives(given, site, Infinity),
    oneOf: (given, site) => checkAlternatives(given, site, 1),
    not: (given, { place, run }) =>
      given !== undefined && check(given, place, run).length === 0
        ? 'matches a schema that it must not match'
        : undefined,
    if(given, { schema, place, run }) {
      const branch = check(given, place, run).length === 0 ? schema['then'] : schema['else']
      return check(branch, place, run)
    },

    unevaluatedProperties(given, { schema, place, value, run }) {
      if (!isRecord(value)) return undefined
      const seen = evaluated(schema, place, run)
      if (seen === 'all') return undefined
      const rest = namesOf(value, run).filter((name) => !seen.has(name))
      return checkRest(rest, given, place, run)
    },
    unevaluatedItems(given, { schema, place, value, run }) {
      if (!Array.isArray(value)) return undefined
      const seen = evaluated(schema, place, run)
      return seen === 'all'
        ? undefined
        : checkEach(value.keys(), run, (index) =>
            seen.has(String(index)) ? fits : check(given, placeIn(place, index), run),
          )
    },
  }),
)

const typeTests = new Map<string, (value: unknown) => boolean>([
  ['string', (value) => typeof value === 'string'],
  ['number', (value) => typeof value === 'number'],
  ['integer', (value) => Number.isInteger(value)],
  ['boolean', (value) => typeof value === 'boolean'],
  ['null', (value) => value === null],
  ['array', Array.isArray],
  ['object', isRecord],
])

function follow(given: unknown, { place, run }: Site): readonly string[] {
  return typeof given === 'string' ? check(lookUpRef(given, run.root), place, run) : fits
}

function checkItems({ place, value, run }: Site, schemaOf: (index: number) => unknown): readonly string[] {
  if (!Array.isArray(value)) return fits
  return checkEach(value.keys(), run, (index) => {
    const schema = schemaOf(index)
    return schema === undefined ? fits : check(schema, placeIn(place, index), run)
  })
}

function checkEach<T>(
  parts: Iterable<T>,
  run: Run,
  problemsOf: (part: T) => readonly string[],
): readonly string[] {
  const problems: string[] = []
  for (const part of parts) {
    if (run.isOver) break
    for (const problem of problemsOf(part)) problems.push(problem)
  }
  return problems
}

function missing(names: unknown, { place, value, run }: Site): readonly string[] {
  if (!Array.isArray(names) || !isRecord(value) || !spend(run, names.length)) return fits
  const absent = names.filter((name) => typeof name === 'string' && !Object.hasOwn(value, name))
  return absent.map((name) => `${nameOf(place)} must have required property '${name}'`)
}

function forPresent(
  given: unknown,
  { value, run }: Site,
  problemsOf: (demand: unknown) => readonly string[],
): readonly string[] {
  if (!isRecord(given) || !isRecord(value)) return fits
  return namesOf(given, run).flatMap((name) => (Object.hasOwn(value, name) ? problemsOf(given[name]) : fits))
}

function isDescribed(name: string, { properties, patternProperties }: JsonSchema, run: Run): boolean {
  if (isRecord(properties) && Object.hasOwn(properties, name)) return true
  return (
    isRecord(patternProperties) &&
    Object.keys(patternProperties).some((pattern) => matches(pattern, name, run))
  )
}

function checkRest(names: readonly string[], schema: unknown, place: Place, run: Run): readonly string[] {
  if (schema === false)
    return names.slice(0, problemsKept).map((name) => `${nameOf(place)} must not have the field '${name}'`)
  return checkEach(names, run, (name) => check(schema, placeIn(place, name), run))
}

function namesOf(value: Readonly<Record<string, unknown>>, run: Run): string[] {
  const names = Object.keys(value)
  return spend(run, names.length) ? names : []
}

function checkAlternatives(given: unknown, { place, run }: Site, max: number): string | undefined {
  if (!Array.isArray(given) || given.length === 0) return undefined
  const found = given.map((schema) => check(schema, place, run))
  const count = found.filter((problems) => problems.length === 0).length
  if (count > max) return `must match exactly one of its alternatives, but matches ${count}`
  const firsts = new Set(found.map(([first = '']) => first))
  return count === 0 ? `matches none of its alternatives (${[...firsts].slice(0, 4).join('; ')})` : undefined
}

/** The names (in a list: the indexes) evaluated by a schema, or by another schema that it applies to the same place. */
function evaluated(root: JsonSchema, place: Place, run: Run): ReadonlySet<string> | 'all' {
  const { value } = place
  const names = new Set<string>()
  const seen = new Set<object>()
  return visit(root) ? 'all' : names

  function visit(schema: unknown): boolean {
    const isRoot = schema === root
    if (!isRecord(schema) || seen.has(schema) || (!isRoot && check(schema, place, run).length > 0))
      return false
    seen.add(schema)
    if (isRecord(value)) {
      if ('additionalProperties' in schema || (!isRoot && 'unevaluatedProperties' in schema)) return true
      for (const name of namesOf(value, run)) if (isDescribed(name, schema, run)) names.add(name)
    }
    if (Array.isArray(value)) {
      const { items, prefixItems, contains } = schema
      if (
        (items !== undefined && !Array.isArray(items)) ||
        'additionalItems' in schema ||
        (!isRoot && 'unevaluatedItems' in schema)
      )
        return true
      const tuple = [prefixItems, items].find(Array.isArray) ?? []
      for (const index of value.keys()) {
        if (run.isOver) break
        const isMatch = contains !== undefined && check(contains, placeIn(place, index), run).length === 0
        if (index < tuple.length || isMatch) names.add(String(index))
      }
    }
    return appliedTo(schema).some(visit)
  }

  function appliedTo(schema: JsonSchema): unknown[] {
    const { allOf, anyOf, oneOf, dependentSchemas } = schema
    const refs = [schema['$ref'], schema['$dynamicRef'], schema['$recursiveRef']].filter(
      (ref) => typeof ref === 'string',
    )
    const branch =
      check(schema['if'], place, run).length === 0 ? [schema['if'], schema['then']] : [schema['else']]
    return [
      ...refs.map((ref) => lookUpRef(ref, run.root)),
      ...[allOf, anyOf, oneOf].filter(Array.isArray).flat(),
      ...('if' in schema ? branch : []),
      ...(isRecord(dependentSchemas) && isRecord(value)
        ? Object.keys(dependentSchemas).flatMap((name) =>
            Object.hasOwn(value, name) ? [dependentSchemas[name]] : [],
          )
        : []),
    ]
  }
}
