import { useEffect, useState } from 'preact/hooks'
import type { Connected, ServerView } from '../../../api.ts'
import { serverApi } from '../../api/client.ts'
import { useAttempt } from '../../parts/use-attempt.tsx'

/**
 * The tools, resources and prompts of a server. A connected server is asked at once and whenever its lists change; any other server, only
 * on request.
 */
export function useCapabilities({ id, status, tools, prompts }: ServerView) {
  const [capabilities, setCapabilities] = useState<Connected>()
  const { attempt, send, failure, isBusy: isConnecting, dialog } = useAttempt()

  const connect = async (isFresh: boolean) => {
    const path = serverApi(id, 'connect')
    const connected = await attempt(() => send<Connected>('Run and connect', path, { isFresh }))
    if (connected !== undefined) setCapabilities(connected)
  }

  const isConnected = status.state === 'connected'
  useEffect(() => {
    if (isConnected) void connect(false)
  }, [isConnected, tools, prompts])
  return {
    capabilities: isConnected ? capabilities : undefined,
    failure,
    isConnecting,
    connect: () => void connect(true),
    dialog,
  }
}
