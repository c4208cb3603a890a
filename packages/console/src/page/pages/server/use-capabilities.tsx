import { useEffect, useState } from 'preact/hooks'
import type { Connected, ServerView } from '../../../api.ts'
import { type ApiFailure, request, toFailure } from '../../api/client.ts'
import { Declined, useCommandConfirm } from '../../parts/command-confirm.tsx'

/** The tools, resources and prompts of a server. A connected server is asked at once and when its lists change, another only on request. */
export function useCapabilities({ id, status, tools, prompts }: ServerView) {
  const [capabilities, setCapabilities] = useState<Connected | undefined>()
  const [failure, setFailure] = useState<ApiFailure | undefined>()
  const [isConnecting, setConnecting] = useState(false)
  const { withConfirmation, dialog } = useCommandConfirm()

  const connect = async () => {
    setFailure(undefined)
    setConnecting(true)
    try {
      const path = `/api/servers/${encodeURIComponent(id)}/connect`
      setCapabilities(await withConfirmation('Run and connect', (body) => request<Connected>(path, { method: 'POST', body })))
    } catch (error) {
      if (!(error instanceof Declined)) setFailure(toFailure(error))
    } finally {
      setConnecting(false)
    }
  }

  const isConnected = status.state === 'connected'
  useEffect(() => {
    if (isConnected) void connect()
  }, [isConnected, tools, prompts])
  return { capabilities: isConnected ? capabilities : undefined, failure, isConnecting, connect: () => void connect(), dialog }
}
