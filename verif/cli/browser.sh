# SPDX-License-Identifier: Apache-2.0
#
# browser.sh - checks a page in headless Chromium at three widths. Source it after cli.sh; skip WHY
# ends the test. Chromium runs only in `make test-all`: in `make test` sourcing this file ends the
# test.
#
# browse SCRIPT PAGE NAME LEAST: verif/cli/SCRIPT operates the page and prints its checks, at least
# LEAST at each width; screenshots go to $SHOTS/NAME-WIDTH.png if SHOTS is set.
in_test_all || finish
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
[ -n "$browser" ] || skip "no chromium; apt-get install chromium"
command -v node >/dev/null || skip "no node to drive chromium; apt-get install nodejs"

browse() {
    local width shot line
    for width in 360 1280 2560; do
        shot=-
        [ -z "${SHOTS:-}" ] || shot=$SHOTS/$3-$width.png
        timeout 280 node "verif/cli/$1" "$browser" "$2" $width "$shot" >"$dir/browser" 2>&1
        [ "$(grep -c '^ok' "$dir/browser")" -ge "$4" ] ||
            echo "not ok - $width px: the browser did not come to its end" >>"$dir/browser"
        while IFS= read -r line; do
            case $line in
            'ok - '*) echo "ok $((++n)) - ${line#ok - }" ;;
            'not ok - '*)
                echo "not ok $((++n)) - ${line#not ok - }"
                failed=1
                ;;
            *) echo "# ${line#\# }" ;;
            esac
        done <"$dir/browser"
    done
}
