#!/bin/sh
# The browser tests drive Chromium; this sees to it that there is one, or says how to get it.
set -eu

has_chromium() {
    command -v chromium >/dev/null 2>&1
}

if has_chromium; then
    exit 0
fi
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    echo "Installing Chromium for the browser tests ..."
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends chromium >/dev/null
fi
if ! has_chromium; then
    echo "The browser tests need chromium on the PATH: install it (sudo apt-get install chromium; brew install --cask chromium), or run the others: .venv/bin/pytest --ignore=tests/browser" >&2
    exit 1
fi
