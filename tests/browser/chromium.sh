#!/usr/bin/env bash
# Runs CHROMIUM_PATH without the two hidden pages that each of its windows loads for the address bar, which cost more than
# the page under test. Chromium uses only the last --disable-features, so the names are added to playwright's.
features=WebUIOmniboxPopup,WebUIOmniboxAimPopup
exec "$CHROMIUM_PATH" "${@/#--disable-features=/--disable-features=$features,}"
