const loaders =
  /^(?:PATH|ENV|BASH_ENV|NODE_(?:OPTIONS|PATH)|(?:LD|DYLD)_\w+|PYTHON\w*|PERL5?(?:OPT|LIB|DB)|RUBY(?:OPT|LIB)|(?:_JAVA|JAVA_TOOL|JDK_JAVA)_OPTIONS|npm_config_.*|(?:UV|PIP|BUN|DENO)_\w+)$/i

/** True for a variable that makes a program load code, or chooses which program runs. A person who is asked about a server must see its value. */
export function loadsCode(name: string): boolean {
  return loaders.test(name)
}
