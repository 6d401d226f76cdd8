"""One Python package as a `py_library`."""

load(":fetch.bzl", "fetch")

def _package_repository_impl(rctx):
    fetch(rctx, [rctx.attr.package], python_library_hub = rctx.attr.hub)

package_repository = repository_rule(
    implementation = _package_repository_impl,
    doc = "Unpacks a wheel; dependencies are those of its metadata on this machine.",
    attrs = {
        "hub": attr.string(mandatory = True, doc = "The hub that holds the dependencies."),
        "lock": attr.label(mandatory = True, allow_single_file = True, doc = "The lock file."),
        "package": attr.string(mandatory = True, doc = "Name in the lock file."),
    },
)
