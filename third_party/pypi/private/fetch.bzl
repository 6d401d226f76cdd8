"""Runs fetch.py from a repository rule."""

load("//third_party/python:interpreter.bzl", "find_python")

_SOURCES = [
    "//third_party/pypi:fetch.py",
    "//third_party/pypi/private:build_file.py",
    "//third_party/pypi/private:download_cache.py",
    "//third_party/pypi/private:lock_file.py",
    "//third_party/pypi/private:unpack.py",
]

def fetch(
        rctx,
        packages,
        sdist = False,
        strip_prefix = "",
        drop_build_files = False,
        python_library_hub = None):
    """Downloads and unpacks pinned distributions into the repository.

    Args:
        rctx: The repository context; its `lock` attribute is the lock file.
        packages: Names in the lock file.
        sdist: Whether to take source distributions.
        strip_prefix: The folder of each archive that becomes the root.
        drop_build_files: Whether to leave out the BUILD files that an archive has.
        python_library_hub: The hub that dependencies come from, to have a BUILD
            file for a Python package written.
    """
    scripts = [rctx.path(Label(source)) for source in _SOURCES]

    # -B: the source tree, which this runs from, stays as it is.
    arguments = ["-I", "-B", scripts[0], "--lock", rctx.path(rctx.attr.lock), "--output", "."]
    for package in packages:
        arguments += ["--package", package]
    if sdist:
        arguments.append("--sdist")
    if strip_prefix:
        arguments += ["--strip-prefix", strip_prefix]
    if drop_build_files:
        arguments.append("--drop-build-files")
    if python_library_hub:
        arguments += ["--python-library", python_library_hub]
    rctx.report_progress("Fetching {} with pip".format(", ".join(packages)))
    done = rctx.execute([find_python(rctx)] + arguments, timeout = 1800)
    if done.return_code != 0:
        fail("\n" + (done.stderr.strip() or done.stdout.strip() or
                     "fetching {} did not end within 30 minutes".format(", ".join(packages))))
