#!/usr/bin/env bash
# The steps of the action: an index, unless a server answers, then the diagnosis. No step of the workflow fails by it.
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
python="$(command -v python3 || command -v python || true)"
if [ -z "$python" ] || ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "::warning title=Faultbook::needs Python 3.11 or later; use actions/setup-python before it"
    exit 0
fi
export PYTHONPATH="$root" PYTHONDONTWRITEBYTECODE=1
if [ -z "${INPUT_SERVER:-}" ] && [ -z "${FAULTBOOK_INDEX:-}" ]; then
    made="${RUNNER_TEMP:-$(mktemp -d)}/faultbook"
    mkdir -p "$made"
    if ! "$python" -P -m action.prepare "$made" >"$made/log.txt" 2>&1; then
        tail -5 "$made/log.txt" >&2
        echo "::warning title=Faultbook::the entries could not be compiled; the lines above say why"
        exit 0
    fi
    export FAULTBOOK_INDEX="$made/build/index.json"
fi
# -P: a package of the same name in the workspace must not take the place of ours.
exec "$python" -P -m action.diagnose
