/** The error of `fetch` for a port of another protocol, such as 9 or 25. */
export const badPort = 'bad port'

export const blockedPort = 'its port is not allowed for http; choose another one'
