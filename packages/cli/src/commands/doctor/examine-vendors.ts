import { badPort, blockedPort, messageOf } from '@ostler/agent-api/internal'
import { describeProviders, type DescribedProvider } from '@ostler/workbench'
import type { Environment } from '../../terminal/io.ts'
import { finding, type Finding } from './finding.ts'

const answerMsMax = 3_000

type Providers = Parameters<typeof describeProviders>[0]['providers']

/** The keys by their names, and whether the vendors answer. Sends no key, because any answer will do. */
export async function examineVendors(env: Environment, providers: Providers): Promise<readonly Finding[]> {
  const described = describeProviders({ providers, env })
  const keys = described.filter(({ hasKey }) => hasKey)
  const names = keys.map(({ keySource, vendorName }) => `${keySource} (${vendorName})`)
  const found =
    names.length > 0
      ? finding('Keys', 'ok', names.join(', '))
      : finding(
          'Keys',
          'warning',
          'none',
          'Set ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or OPENROUTER_API_KEY where the editor starts, or run a local model.',
        )
  const reached = await Promise.all(described.filter(({ baseUrl }) => baseUrl !== undefined).map(reach))
  return [found, ...reached.flat()]
}

async function reach({ vendorName, baseUrl = '', isLocal, hasKey }: DescribedProvider): Promise<Finding[]> {
  const what = `Vendor ${vendorName}`
  const { host } = new URL(baseUrl)
  try {
    const response = await fetch(baseUrl, { redirect: 'manual', signal: AbortSignal.timeout(answerMsMax) })
    await response.body?.cancel()
    return [finding(what, 'ok', `${host} answers`)]
  } catch (error) {
    // Local servers are only used if they are named.
    if (isLocal && !hasKey) return []
    return [
      finding(
        what,
        'warning',
        `${host} does not answer: ${reasonOf(error)}`,
        'Check the network, the proxy and the address of the vendor.',
      ),
    ]
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer in ${answerMsMax / 1_000} s`
  const reason = messageOf(error instanceof Error && error.cause instanceof Error ? error.cause : error)
  return reason === badPort ? blockedPort : reason
}
