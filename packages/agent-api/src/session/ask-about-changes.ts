import { showHidden } from '../base/strip-hidden.ts'
import { definitionKey } from '../policy/definition-key.ts'
import type { McpClient } from '../mcp/mcp-client.ts'
import type { GrantStore } from '../policy/always-allow/grant.ts'
import { toPin, type NamedDefinition } from '../policy/always-allow/definition-pin.ts'
import { definitionText } from '../policy/always-allow/definition-text.ts'
import {
  describeChanges,
  nameChange,
  tellChange,
  type DefinitionChange,
} from '../policy/definition-changes.ts'
import type { DefinitionReview } from '../servers/definition-reviews.ts'
import { askApart, type AskApartOptions } from './ask-apart.ts'

interface Asking extends AskApartOptions {
  readonly grants: GrantStore
}

/** The tool name under which the history stores the answers. */
const definitionsTool = 'definitions'

/** One question about all open changes of a server. Only a clear answer is remembered. */
export async function askAboutChanges(
  { grants, ...asking }: Asking,
  { name: server, origin }: McpClient,
  review: DefinitionReview,
  signal: AbortSignal,
): Promise<void> {
  const changes = review.open.ask ?? []
  if (changes.length === 0) return
  const names = changes.map(nameChange)
  const question = {
    ref: { server, tool: definitionsTool },
    title: `Use what the MCP server ${showHidden(JSON.stringify(server))} has changed`,
    kind: 'other',
    args: { server: origin, changes: names },
    plan: { effect: 'none' },
    lasting: { type: 'nothing' },
    difference: describeChanges(changes),
  } as const
  const answer = await askApart(asking, question, signal, () => accept(grants, review, changes))
  if (answer?.verdict === 'deny' && answer.from !== 'nobody') review.settle(changes, false)
}

/** Accepts the changes that need no answer, and returns a sentence about them, unless another session has accepted them. */
export async function acceptTold(
  grants: GrantStore,
  { name }: McpClient,
  review: DefinitionReview,
): Promise<readonly string[]> {
  const changes = review.open.tell ?? []
  if (changes.length === 0) return []
  await accept(grants, review, changes)
  return [`The MCP server ${name} has changed: ${changes.map(tellChange).join(', ')}.`]
}

/** An "always" for a tool holds for the definition that was accepted in place of its own. */
async function accept(
  grants: GrantStore,
  review: DefinitionReview,
  changes: readonly DefinitionChange[],
): Promise<void> {
  review.settle(changes, true)
  const definitions = new Map(changes.map((change) => [change.key, change]))
  const renewed = grants.list().flatMap((grant) => {
    const { before, now } = definitions.get(definitionKey('tool', { name: grant.ref.tool })) ?? {}
    if (before === undefined || now === undefined || grant.pin.identity !== review.identity) return []
    const pinOf = (definition: unknown) => toPin(definition as NamedDefinition, grant.pin)
    const isBound = pinOf(before).definition === grant.pin.definition
    return isBound
      ? [{ ...grant, pin: pinOf(now), definition: definitionText(now as unknown as NamedDefinition) }]
      : []
  })
  if (renewed.length > 0) await grants.add(renewed)
}
