/** A token by RFC 9110. */
export const headerName = /^[\w!#$%&'*+.^`|~-]+$/

/** One line of Latin-1: anything else could inject another header. */
// oxlint-disable-next-line no-control-regex -- A tab is the only control character that a header may contain.
export const headerValue = /^[\t\u0020-\u007e\u0080-\u00ff]*$/
