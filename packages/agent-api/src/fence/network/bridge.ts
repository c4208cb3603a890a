/** Where the bridge listens, inside a fence with its own loopback. */
const bridgePort = 3128

/**
 * The start of a command line that first opens a way from the fence's loopback to the proxy's socket, then becomes the rest. The port is open before
 * the command runs, so its first connection cannot come too early. In Perl, which nearly every Linux has, and which starts twenty times as fast
 * as Node.
 */
export function throughBridge(perl: string, socket: string, hosts: readonly string[]): readonly string[] {
  return [perl, '-e', script, socket, String(bridgePort), '/usr/bin/env', ...variablesFor(hosts)]
}

/** Programs reach their own loopback directly, unless a setting names this machine. */
function variablesFor(hosts: readonly string[]): readonly string[] {
  const proxy = `http://127.0.0.1:${bridgePort}`
  const own = ['localhost', '127.0.0.1', '::1'].filter((name) => !hosts.some((host) => host.includes(name)))
  const variables = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy, NO_PROXY: own.join(',') }
  return [
    ...Object.entries(variables).flatMap(([name, value]) => [
      `${name}=${value}`,
      `${name.toLowerCase()}=${value}`,
    ]),
    'NODE_USE_ENV_PROXY=1',
  ]
}

/**
 * Forks for each connection, and once more for its other direction. Ends with the fence. The numbers of Linux stand here because the module that
 * has them takes four times as long to load as all the rest.
 */
const script = `
my ($unix, $inet, $stream) = (1, 2, 1);
my ($path, $port) = splice @ARGV, 0, 2;
my ($listener, $client, $proxy);
socket($listener, $inet, $stream, 0)
  && bind($listener, pack('S n C4 x8', $inet, $port, 127, 0, 0, 1))
  && listen($listener, 64)
  || die "The sandbox has no network: $!\\n";
my $child = fork;
defined $child or die "The sandbox has no network: $!\\n";
if ($child) {
  close $listener;
  exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!\\n";
}
$SIG{CHLD} = $SIG{PIPE} = 'IGNORE';
open $_, '+<', '/dev/null' for *STDIN, *STDOUT, *STDERR;
while (accept($client, $listener)) {
  next if fork;
  socket($proxy, $unix, $stream, 0) && connect($proxy, pack('S a108', $unix, $path)) || exit;
  my ($from, $to) = fork ? ($client, $proxy) : ($proxy, $client);
  while (sysread $from, my $piece, 65536) {
    for (my $at = 0; $at < length $piece;) { $at += syswrite($to, $piece, 65536, $at) || exit }
  }
  shutdown $to, 1;
  exit;
}
`
