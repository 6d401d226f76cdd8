# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Tests for pip_settings."""

import unittest

import pip_settings


class ParseTest(unittest.TestCase):
    def test_sections_in_pips_order(self):
        listing = """\
:env:.timeout='180'
download.cert='/download.pem'
global.cert='/global.pem'
global.index-url='https://mirror.example.com/simple'
global.timeout='20'
install.index-url='https://install.example.com/simple'
"""
        self.assertEqual(
            pip_settings.parse(listing),
            {
                "cert": "/download.pem",
                "index-url": "https://mirror.example.com/simple",
                "timeout": "180",
            },
        )

    def test_values_are_read_as_pip_prints_them(self):
        listing = "global.trusted-host='\\na.example.com\\nb.example.com'\nglobal.x=\"it's\"\n"
        self.assertEqual(
            pip_settings.parse(listing),
            {"trusted-host": "a.example.com\nb.example.com", "x": "it's"},
        )

    def test_other_lines(self):
        self.assertEqual(pip_settings.parse("WARNING: something\n\nglobal.cert=(\n"), {})


class UvEnvironmentTest(unittest.TestCase):
    def test_settings_of_pip(self):
        settings = {
            "index-url": "https://mirror.example.com/simple",
            "cert": "/mirror.pem",
            "client-cert": "/me.pem",
            "proxy": "http://proxy.example.com:3128",
            "timeout": "60",
            "trusted-host": "a.example.com\nb.example.com",
        }
        self.assertEqual(
            pip_settings.uv_environment(settings, {"HOME": "/home/me"}),
            {
                "HOME": "/home/me",
                "UV_DEFAULT_INDEX": "https://mirror.example.com/simple",
                "SSL_CERT_FILE": "/mirror.pem",
                "SSL_CLIENT_CERT": "/me.pem",
                "HTTP_PROXY": "http://proxy.example.com:3128",
                "HTTPS_PROXY": "http://proxy.example.com:3128",
                "UV_HTTP_TIMEOUT": "60",
                "UV_INSECURE_HOST": "a.example.com b.example.com",
            },
        )

    def test_none(self):
        environment = {"HOME": "/home/me", "SSL_CERT_FILE": "/all.pem"}
        self.assertEqual(pip_settings.uv_environment({}, environment), environment)

    def test_who_wins(self):
        found = pip_settings.uv_environment(
            {"index-url": "https://pip.example.com", "cert": "/pip.pem"},
            {"UV_DEFAULT_INDEX": "https://uv.example.com", "SSL_CERT_FILE": "/all.pem"},
        )
        self.assertEqual(
            found, {"UV_DEFAULT_INDEX": "https://uv.example.com", "SSL_CERT_FILE": "/pip.pem"}
        )

    def test_what_one_machine_has_stays_out(self):
        settings = {"find-links": "/wheels", "extra-index-url": "file:///wheels/simple"}
        self.assertEqual(pip_settings.uv_environment(settings, {}), {})

    def test_environment_is_not_changed(self):
        environment = {}
        pip_settings.uv_environment({"cert": "/pip.pem"}, environment)
        self.assertEqual(environment, {})


if __name__ == "__main__":
    unittest.main()
