"""Module extensions that bring pinned distributions in through pip.

`pip.parse` makes Python packages available as `@HUB//:NAME`; `overlay.archive`
unpacks a distribution and lays a BUILD file over it.
"""

load("//third_party/pypi/private:hub_repository.bzl", "hub_repository")
load("//third_party/pypi/private:lock.bzl", "locked_names")
load("//third_party/pypi/private:overlay_repository.bzl", "overlay_repository")
load("//third_party/pypi/private:package_repository.bzl", "package_repository")

_parse = tag_class(
    doc = "Makes each package of a lock file available as `@HUB//:NAME`.",
    attrs = {
        "hub_name": attr.string(mandatory = True, doc = "Name of the hub repository."),
        "requirements_lock": attr.label(
            mandatory = True,
            allow_single_file = True,
            doc = "Lock file: every requirement pinned and hashed.",
        ),
    },
)

def _pip_impl(module_ctx):
    for module in module_ctx.modules:
        for tag in module.tags.parse:
            names = locked_names(module_ctx.read(tag.requirements_lock))
            for name in names:
                package_repository(
                    name = tag.hub_name + "__" + name,
                    hub = tag.hub_name,
                    lock = tag.requirements_lock,
                    package = name,
                )
            hub_repository(name = tag.hub_name, packages = names)

pip = module_extension(
    implementation = _pip_impl,
    tag_classes = {"parse": _parse},
    doc = "Python packages from a hashed lock file.",
)

_archive = tag_class(
    doc = "Unpacks pinned distributions into one repository, under a BUILD file.",
    attrs = {
        "build_file": attr.label(doc = "BUILD file for the root; none when the archive has its own."),
        "lock": attr.label(
            default = "//third_party/pypi:requirements_lock.txt",
            doc = "Lock file that pins the distributions.",
        ),
        "name": attr.string(mandatory = True, doc = "Name of the repository."),
        "package": attr.string(doc = "The distribution, where it is one."),
        "packages": attr.string_list(doc = "The distributions, merged into one tree."),
        "patches": attr.label_list(doc = "Patches, made with `diff -ru a b`."),
        "sdist": attr.bool(doc = "Take source distributions instead of wheels."),
        "strip_prefix": attr.string(doc = "The folder of the archive that becomes the root."),
    },
)

def _overlay_impl(module_ctx):
    for module in module_ctx.modules:
        for tag in module.tags.archive:
            if bool(tag.package) == bool(tag.packages):
                fail("overlay.archive(name = {}): give either package or packages".format(tag.name))
            overlay_repository(
                name = tag.name,
                build_file = tag.build_file,
                lock = tag.lock,
                packages = tag.packages or [tag.package],
                patches = tag.patches,
                sdist = tag.sdist,
                strip_prefix = tag.strip_prefix,
            )

overlay = module_extension(
    implementation = _overlay_impl,
    tag_classes = {"archive": _archive},
    doc = "Distributions with a BUILD file of ours laid over them.",
)
