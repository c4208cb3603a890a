import type { JSONRPCNotification } from '@modelcontextprotocol/client'
import { latestEvery } from '../../base/throttle.ts'
import type { ListName } from '../connection.ts'

export interface NotificationHandlers {
  readonly onListChanged: (list: ListName) => void
  /** Gets the parameters of each message that the server logs. */
  readonly onLog: (params: unknown) => void
  readonly onResourceChanged: (uri: string) => void
  readonly onElicited: (elicitationId: string) => void
}

const changedLists: Readonly<Record<string, ListName>> = {
  'notifications/tools/list_changed': 'tools',
  'notifications/prompts/list_changed': 'prompts',
}

/** Notifications that the SDK uses. All others are dropped, so that a flood of them costs little. */
export const forwardedNotifications: ReadonlySet<string> = new Set([
  'notifications/progress',
  'notifications/cancelled',
  'notifications/subscriptions/acknowledged',
])

/** Handles a notification that is not for the SDK. False for any other. */
export function takeNotification(
  { method, params }: JSONRPCNotification,
  handlers: NotificationHandlers,
): boolean {
  const list = changedLists[method]
  if (list !== undefined) handlers.onListChanged(list)
  else if (method === 'notifications/message') handlers.onLog(params)
  else if (method === 'notifications/resources/updated') ifText(params?.['uri'], handlers.onResourceChanged)
  else if (method === 'notifications/elicitation/complete')
    ifText(params?.['elicitationId'], handlers.onElicited)
  else return false
  return true
}

const progressEveryMs = 100

/** Throttles the progress of one request before the SDK sees it, because a flood of it would keep the SDK busy. */
export function throttleProgress(handle: (progress: JSONRPCNotification) => void) {
  return latestEvery(progressEveryMs, handle)
}

function ifText(value: unknown, use: (text: string) => void): void {
  if (typeof value === 'string') use(value)
}
