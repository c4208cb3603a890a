import { createToolSearch, searchTermsOf, wordsOf } from '../../tools/tool-search.ts'
import { bareNameOf, findTools } from './command.ts'
import type { OfflineTool } from './offline-tool.ts'
import { stem } from './stem.ts'

export type Choice =
  | { readonly type: 'tool'; readonly tool: OfflineTool }
  | { readonly type: 'several'; readonly tools: readonly OfflineTool[] }
  | { readonly type: 'greeting' }
  | { readonly type: 'none' }

type Tools = readonly OfflineTool[]

const candidatesMax = 8
/** Scores this close say nothing about which is meant. */
const sameScoreShare = 0.98

const greeting =
  /^\s*(?:hi|hello|hey|good (?:morning|evening|day)|help|thanks?(?: you)?|who are you|what (?:are|is) (?:you|this)|what can you do)\b[\s\S]{0,30}$/i

/** A tool that is named is meant; otherwise one must fit clearly, since what is chosen here is about to be run. */
export function chooseTool(said: string, tools: Tools): Choice {
  const named = namedIn(said, tools)
  if (named.length === 1 && named[0]) return { type: 'tool', tool: named[0] }
  if (named.length > 1) return { type: 'several', tools: named }
  if (greeting.test(said)) return { type: 'greeting' }

  const terms = searchTermsOf(said)
  const fits = rank(said, tools).filter(({ tool }) => fitsClearly(terms, tool))
  const [best] = fits
  if (!best) return { type: 'none' }
  const equal = fits.filter(({ score }) => score >= best.score * sameScoreShare)
  return equal.length > 1 ? { type: 'several', tools: equal.map(({ tool }) => tool) } : { type: 'tool', tool: best.tool }
}

/** Named as a whole (`get-sum`, `calc__add`), not by an everyday word that happens to be a name. */
function namedIn(said: string, tools: Tools): OfflineTool[] {
  const tokens = (said.match(/[\p{L}\p{N}_.-]+/gu) ?? [])
    .map((token) => token.replace(/[.-]+$/, ''))
    .filter((token) => /[_-]|\p{Ll}\p{Lu}/u.test(token))
  return [...new Set(tokens.flatMap((token) => findTools(token, tools)))]
}

function rank(said: string, tools: Tools): { tool: OfflineTool; score: number }[] {
  const { search } = createToolSearch(
    tools.map((tool) => ({ ref: { server: null, tool: tool.name }, description: tool.description, inputSchema: { ...tool.schema } })),
  )
  return search(said, candidatesMax).flatMap(({ index, score }) => (tools[index] ? [{ tool: tools[index], score }] : []))
}

/** A word of its name, or two words of what is said about it, or the only word there was. */
function fitsClearly(terms: readonly string[], tool: OfflineTool): boolean {
  const inName = new Set(wordsOf(bareNameOf(tool)).map(stem))
  if (terms.some((term) => inName.has(stem(term)))) return true
  const inText = new Set(wordsOf(`${tool.name} ${tool.description}`).map(stem))
  const found = terms.filter((term) => inText.has(stem(term))).length
  return found >= 2 || (found === 1 && terms.length === 1)
}
