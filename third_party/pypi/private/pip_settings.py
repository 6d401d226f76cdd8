# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What pip is configured for on this machine, in the terms of uv.

uv does not read pip's configuration, so it would go past a mirror that pip uses.
Names of settings: pip's documentation, "pip install" (options) and
"Configuration"; of variables: uv's documentation, "Environment variables".
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

# What pip calls a setting, and the variables in which uv looks for it. Further indexes and
# folders of wheels (extra-index-url, find-links) are left out on purpose: they are what one
# machine has, and a lock file made from them would lack the files for all others.
_VARIABLES = {
    "index-url": ("UV_DEFAULT_INDEX",),
    "cert": ("SSL_CERT_FILE",),
    "client-cert": ("SSL_CLIENT_CERT",),
    "proxy": ("HTTP_PROXY", "HTTPS_PROXY"),
    "timeout": ("UV_HTTP_TIMEOUT",),
    "trusted-host": ("UV_INSECURE_HOST",),
}
# Where pip's download command finds a setting; later ones win.
_SECTIONS = ("global", "download", ":env:")
_LINE = re.compile(r"^(?P<section>:env:|[\w-]+)\.(?P<key>[\w-]+)=(?P<value>.*)$")


def parse(listing: str) -> dict[str, str]:
    """The settings in the output of `pip config list`, for pip's download command."""
    found: dict[tuple[str, str], str] = {}
    for line in listing.splitlines():
        match = _LINE.match(line.strip())
        if match is None or match["section"] not in _SECTIONS:
            continue
        try:
            value = ast.literal_eval(match["value"])
        except (SyntaxError, ValueError):
            continue
        found[match["section"], match["key"]] = str(value).strip()
    return {key: found[section, key] for section in _SECTIONS for s, key in found if s == section}


def uv_environment(settings: Mapping[str, str], environment: Mapping[str, str]) -> dict[str, str]:
    """`environment` with pip's settings for uv.

    What is set for uv itself (UV_*) is left as it is; of what uv shares with other
    programs (SSL_CERT_FILE and the like), pip's setting wins.
    """
    result = dict(environment)
    for key, names in _VARIABLES.items():
        value = settings.get(key)
        if not value:
            continue
        # pip prints a list with line ends; uv reads it with spaces.
        if key == "trusted-host":
            value = " ".join(value.split())
        for name in names:
            if not (name.startswith("UV_") and result.get(name)):
                result[name] = value
    return result
