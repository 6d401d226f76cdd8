"""Finds the Python that builds and runs everything."""

def find_python(rctx):
    """The path of the machine's Python, or of the one WARPYARD_PYTHON names.

    Args:
        rctx: A repository context.

    Returns:
        A path that can be executed.
    """
    named = rctx.getenv("WARPYARD_PYTHON")
    if named:
        path = rctx.path(named) if "/" in named else rctx.which(named)
        if not path or not path.exists:
            fail("WARPYARD_PYTHON={}: there is no such program. ".format(named) +
                 "Name a Python from 3.10 to 3.14, or unset it.")
        return path
    path = rctx.which("python3") or rctx.which("python")
    if not path:
        fail("There is no python3 on PATH. Install Python 3.10 or later " +
             "(Debian and Ubuntu: python3-dev python3-pip), or name one with WARPYARD_PYTHON.")
    return path
