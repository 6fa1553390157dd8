#!/bin/sh
# Programs that tests drive and pip does not bring: Chromium for the pages, faketime for a night in which clocks are set.
# This sees to it that they are there, or says how to get them.
set -eu

missing() {
    for program in chromium faketime; do
        command -v "$program" >/dev/null 2>&1 || printf '%s ' "$program"
    done
}

programs=$(missing)
if [ -n "$programs" ] && command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    echo "Installing for the tests: $programs..."
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    # shellcheck disable=SC2086  # Each is a package of its own name.
    apt-get install -y -qq --no-install-recommends $programs >/dev/null
    programs=$(missing)
fi
if [ -n "$programs" ]; then
    echo "The tests need these on the PATH: $programs(sudo apt-get install chromium faketime; brew install --cask chromium, brew install libfaketime). Or run the others: .venv/bin/pytest --ignore=tests/browser --ignore=tests/faults/test_e_dst_night.py" >&2
    exit 1
fi
