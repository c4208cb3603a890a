#!/bin/sh
# Starts ostler.js, which is beside this file, with a Node that it looks for. Settings of editors name this file: it stays where it is when
# Node is updated. The build copies it to dist/ostler.
file=$0
while [ -L "$file" ]; do
  target=$(readlink "$file")
  case $target in
    /*) file=$target ;;
    *) file=$(dirname "$file")/$target ;;
  esac
done
# With CDPATH, cd may go to another folder, and prints its path.
unset CDPATH
dist=$(cd "$(dirname "$file")" && pwd) || exit 1

case $dist in
  # In a clone, the workspace brings a Node.
  */packages/cli/dist) own=${dist%/packages/cli/dist}/node_modules/.bin/node ;;
  # npm installs packages for all projects beside the Node that it belongs to.
  */lib/node_modules/@ostler/cli/dist) own=${dist%/lib/node_modules/@ostler/cli/dist}/bin/node ;;
  *) own= ;;
esac
for node in "$own" "$(command -v node)" /usr/local/bin/node /opt/homebrew/bin/node; do
  [ -x "$node" ] && exec "$node" "$dist/ostler.js" "$@"
done
echo 'ostler: Node.js was not found. Install it, or add its folder to the PATH.' >&2
exit 127
