/** A token by RFC 9110. */
export const headerName = /^[\w!#$%&'*+.^`|~-]+$/

/** A single line of Latin-1. Anything else could inject another header. */
// oxlint-disable-next-line no-control-regex -- A tab is the only control character that a header may contain.
export const headerValue = /^[\t\u0020-\u007e\u0080-\u00ff]*$/
