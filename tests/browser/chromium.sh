#!/usr/bin/env bash
# Runs CHROMIUM_PATH without what costs more than the page under test: the two hidden pages that each of its windows loads
# for the address bar, and a process that it starts in advance for each next page. Chromium uses only the last
# --disable-features, so the names are added to playwright's.
features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess
exec "$CHROMIUM_PATH" "${@/#--disable-features=/--disable-features=$features,}"
