#!/usr/bin/env bash
# Runs CHROMIUM_PATH without two things that only cost time: the two hidden pages that each window
# loads for the address bar, which cost more than the page under test, and the renderer that it
# starts in advance for a next page, which rarely comes. Chromium uses only the last
# --disable-features, so the names are added to Playwright's.
features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess
exec "$CHROMIUM_PATH" "${@/#--disable-features=/--disable-features=$features,}"
