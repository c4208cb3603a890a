/** What `fetch` says about a port of another protocol, such as 9 or 25, which it never requests. */
export const badPort = 'bad port'

export const blockedPort = 'its port is not allowed for http; choose another one'
