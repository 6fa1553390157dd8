#!/bin/sh
# Programs that tests drive and pip does not bring: Chromium for the pages, faketime for a night in which clocks are set,
# nginx, Caddy and socat to stand between Keepsake and the world. This sees to it that they are there, or says how to
# get them. With `postgresql` it looks for PostgreSQL's server instead, where no wheel brings one.
set -eu
PATH=$PATH:/usr/sbin # Debian's place for nginx, which is on the PATH of root alone.
wanted=${*:-chromium faketime nginx caddy socat}

is_there() {
    case $1 in
    postgresql) ls /usr/lib/postgresql/*/bin/initdb ;; # Debian puts its server on no PATH.
    *) command -v "$1" ;;
    esac >/dev/null 2>&1
}

missing() {
    for program in $wanted; do
        is_there "$program" || printf '%s ' "$program"
    done
}

# The tests start nginx and Caddy themselves: as services they would take ports 80 and 443, now or after a reboot.
start_no_services() {
    policy=/usr/sbin/policy-rc.d
    [ -e "$policy" ] && return
    trap 'rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
}

programs=$(missing)
if [ -n "$programs" ] && command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    echo "Installing for the tests: $programs..."
    export DEBIAN_FRONTEND=noninteractive
    start_no_services
    apt-get update -qq
    # shellcheck disable=SC2086  # Each is a package of its own name.
    apt-get install -y -qq --no-install-recommends $programs >/dev/null
    for service in $programs; do
        systemctl disable --quiet "$service" 2>/dev/null || : # Most are none, and not every machine has systemd.
    done
    programs=$(missing)
fi
if [ -n "$programs" ]; then
    echo "The tests need these on the PATH: $programs(sudo apt-get install $programs; brew install --cask chromium, brew install libfaketime nginx caddy socat). Or run the others: .venv/bin/pytest --ignore=tests/browser --ignore=tests/faults/test_e_dst_night.py --ignore=tests/test_proxies.py --ignore=tests/cli/test_doctor_behind_a_proxy.py" >&2
    exit 1
fi
