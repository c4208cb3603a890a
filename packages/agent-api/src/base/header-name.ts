/** The characters that HTTP allows in the name of a header. */
export const headerName = /^[\w!#$%&'*+.^`|~-]+$/
