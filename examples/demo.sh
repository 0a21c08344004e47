#!/usr/bin/env bash
# The main job on the papers of this folder, as a person would type it: `make demo` runs it with a graph of its own.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH="$PWD/.venv/bin:$PATH"

run() {
  printf '\n$ xkg'
  printf ' %q' "$@"
  printf '\n'
  xkg "$@"
}

trap 'xkg db stop >/dev/null' EXIT
run ingest corpus examples/corpus.toml --jobs 1
# 4: no sandbox works here, so that code stays unverified; the rest of the demo needs none
run code verify 'push.py#forward_push' 'countmin.py#CountMin' 'tracker.py#HeavyHitters.add' 'linklist.py#read_link_list' || [ $? = 4 ]
for paper in reservoir heavy-hitters pagerank; do
  run paper show "local:$paper"
done
run search techniques 'uniform sample of a stream' --limit 4
run search code 'update the count of an item in a sketch' --limit 3
cat <<'END'

To look around in this graph:
XKG_HOME=.xkg-demo .venv/bin/xkg explore       # pages of our own: papers beside their techniques, code, pictures
XKG_HOME=.xkg-demo .venv/bin/xkg db browser    # Neo4j Browser, with our colours and a guide
END
